import { Link } from '@tanstack/react-router'
import { Icon } from './icon.tsx'

/** To the list that a page belongs to. */
export const BackLink = ({ to, name }: { to: string; name: string }) => (
  <Link
    to={to}
    className="no-print mb-1 inline-flex max-w-full min-w-0 items-center gap-1 text-xs text-muted hover:text-ink"
  >
    <Icon name="right" className="size-3 shrink-0 rotate-180" /> <span className="truncate">{name}</span>
  </Link>
)
