import type { ReactNode } from 'react';
import { design, type PartName } from '../words/english-design.js';

interface PartProps {
  readonly name: PartName;
  readonly children: ReactNode;
}

/** A part of the design system: its name, when to use it, and its samples. */
export function Part({ name, children }: PartProps) {
  const { title, use } = design.parts[name];
  return (
    <section id={name} className="design-part" aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      <p className="prose">{use}</p>
      {children}
    </section>
  );
}

/** Samples next to each other. */
export const Samples = ({ children }: { readonly children: ReactNode }) => (
  <div className="design-samples">{children}</div>
);

interface SampleProps {
  /** The state that it shows. */
  readonly label: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export const Sample = ({ label, isWide = false, children }: SampleProps) => (
  <div className={isWide ? 'design-sample wide' : 'design-sample'}>
    <p className="design-label">{label}</p>
    <div>{children}</div>
  </div>
);
