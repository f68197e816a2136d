import { Link } from '@tanstack/react-router'
import { Icon } from './icon.tsx'

/** To the list that a page belongs to. */
export const BackLink = ({ to, name }: { to: string; name: string }) => (
  <Link to={to} className="no-print mb-1 inline-flex items-center gap-1 text-xs text-muted hover:text-ink">
    <Icon name="right" className="size-3 rotate-180" /> {name}
  </Link>
)
