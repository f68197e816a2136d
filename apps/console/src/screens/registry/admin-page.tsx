import { useNavigate, useSearch } from '@tanstack/react-router'
import { t } from '../../texts/index.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Admin } from '../admin.tsx'
import { Audit, Health, Wallets } from './admin-instance.tsx'
import { Keys } from './admin-keys.tsx'
import { Relayer } from './admin-relayer.tsx'
import { Webhooks } from './admin-webhooks.tsx'

const text = t.adminTabs

/** Everything that runs the instance, one tab each. */
export function AdminPage() {
  const { tab = 'users' } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  const tabs = [
    { key: 'users', name: text.users, content: <Admin /> },
    { key: 'keys', name: text.keys, content: <Keys /> },
    { key: 'wallets', name: text.wallets, content: <Wallets /> },
    { key: 'webhooks', name: text.webhooks, content: <Webhooks /> },
    { key: 'relayer', name: text.relayer, content: <Relayer /> },
    { key: 'health', name: text.health, content: <Health /> },
    { key: 'audit', name: text.audit, content: <Audit /> },
  ]
  return (
    <Tabs
      label={t.nav.admin}
      tabs={tabs}
      value={tab}
      onChange={(next) => void navigate({ to: '.', search: { tab: next }, replace: true })}
    />
  )
}
