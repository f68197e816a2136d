import { Link } from '@tanstack/react-router'
import type { OpenLoans } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'

/** Markets whose loans are missing from a list, and why. */
export const UnreadMarkets = ({ of }: { of: OpenLoans['unreadMarkets'] }) =>
  of.map(({ marketId, collateralSymbol, borrowSymbol, reason }) => (
    <Notice key={marketId} tone="warn">
      <Link to="/markets/$marketId" params={{ marketId }} className="hover:underline">
        {t.risk.unread[reason](`${collateralSymbol}/${borrowSymbol}`)}
      </Link>
    </Notice>
  ))
