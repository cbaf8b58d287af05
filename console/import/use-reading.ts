import { useRef } from 'react';

/** Lets a form wait for a file that is still being read. */
export interface Reading {
  /** @param done whether it could be read */
  readonly begin: (done: Promise<boolean>) => void;
  readonly isUnderWay: () => boolean;
  /** @returns whether the form submits itself later, with the file content */
  readonly sendsLater: (form: HTMLFormElement) => boolean;
}

export function useReading(): Reading {
  const current = useRef<Promise<boolean> | null>(null);
  const begin = (done: Promise<boolean>): void => {
    const reading = done.finally(() => {
      if (current.current === reading) current.current = null;
    });
    current.current = reading;
  };
  const isUnderWay = (): boolean => current.current !== null;
  const sendsLater = (form: HTMLFormElement): boolean => {
    void current.current?.then((isRead) => isRead && form.requestSubmit());
    return current.current !== null;
  };
  return { begin, isUnderWay, sendsLater };
}
