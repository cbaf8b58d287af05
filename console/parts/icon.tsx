import {
  Archive,
  Building2,
  ChartColumn,
  Check,
  ChevronDown,
  ChevronRight,
  ChevronsUpDown,
  ChevronUp,
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  Copy,
  CopyPlus,
  Download,
  Ellipsis,
  ExternalLink,
  File,
  Globe,
  History,
  KeyRound,
  LayoutTemplate,
  LoaderCircle,
  LogOut,
  Lock,
  type LucideIcon,
  Pencil,
  Plus,
  RefreshCw,
  ScrollText,
  Search,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  SunMoon,
  Trash2,
  TriangleAlert,
  Undo2,
  Upload,
  Webhook,
  X,
} from 'lucide-react';

export const ICONS = {
  zones: Globe,
  changes: History,
  tokens: KeyRound,
  tenants: Building2,
  webhooks: Webhook,
  quotas: ChartColumn,
  audit: ScrollText,
  servers: Server,
  search: Search,
  more: Ellipsis,
  page: File,
  signed: ShieldCheck,
  template: LayoutTemplate,
  deleted: Archive,
  add: Plus,
  edit: Pencil,
  copy: Copy,
  duplicate: CopyPlus,
  delete: Trash2,
  undo: Undo2,
  refresh: RefreshCw,
  display: SlidersHorizontal,
  import: Upload,
  export: Download,
  managed: Lock,
  open: ChevronRight,
  outside: ExternalLink,
  expand: ChevronDown,
  collapse: ChevronUp,
  choose: ChevronsUpDown,
  help: CircleQuestionMark,
  close: X,
  done: Check,
  waiting: LoaderCircle,
  good: CircleCheck,
  bad: CircleX,
  theme: SunMoon,
  signOut: LogOut,
  warn: TriangleAlert,
} as const satisfies Record<string, LucideIcon>;

export type IconName = keyof typeof ICONS;

/** Decoration: the text next to it, or the label of its button, has the meaning. */
export const Icon = ({ name }: { readonly name: IconName }) => {
  const Shape = ICONS[name];
  return <Shape className="icon" aria-hidden="true" />;
};

export const Logo = () => (
  <svg className="logo" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="4" />
    <path d="M4 4h8v1.6L6.6 10.4H12V12H4v-1.6l5.4-4.8H4z" />
  </svg>
);
