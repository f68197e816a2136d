import type { Hex } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addUser,
  changeRole,
  endSession,
  listSessions,
  listUsers,
  type OpenSession,
  removeUser,
  type User,
} from '../api/access.ts'
import { useAct } from '../api/act.ts'
import { isCode } from '../api/client.ts'
import { browserOf, showWords } from '../lib/format.ts'
import { useIdentityProvider } from '../shell/provider.tsx'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Address, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { SecondPersonSwitch } from './second-person-switch.tsx'

const text = t.admin

export function Admin() {
  const users = useQuery({ queryKey: ['admin', 'users'], queryFn: listUsers })
  const [isAdding, setAdding] = useState(false)
  const { act, fault } = useAct('admin')
  if (users.error && isCode(users.error, 'SCOPE_MISSING')) return <Empty title={text.notAllowed} />
  const columns: readonly Column<User>[] = [
    {
      key: 'name',
      name: text.columns.name,
      cell: ({ name }) => <span className="font-medium">{name}</span>,
      csv: ({ name }) => name,
      sortBy: ({ name }) => name,
    },
    {
      key: 'address',
      name: text.columns.address,
      wide: true,
      cell: ({ address, email }) => (address ? <Address value={address} {...(email ? { name: email } : {})} /> : email),
      csv: ({ address, email }) => [address, email].filter((one) => one !== null).join(' '),
    },
    {
      key: 'role',
      name: text.columns.role,
      cell: ({ userId, name, role }) => (
        <select
          aria-label={`${text.role}: ${name}`}
          value={role}
          onChange={(event) => void act(() => changeRole(userId, event.target.value as User['role']))}
          className="h-7 rounded-md border border-line bg-panel px-1.5 text-xs"
        >
          {Object.keys(text.roles).map((key) => (
            <option key={key} value={key}>
              {showWords(key)}
            </option>
          ))}
        </select>
      ),
      csv: ({ role }) => role,
    },
    {
      key: 'since',
      name: text.columns.since,
      wide: true,
      cell: ({ createdAt }) => <When at={createdAt} as="day" />,
      csv: ({ createdAt }) => createdAt,
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: ({ userId, name }) => (
        <Button
          small
          look="danger"
          aria-label={`${text.remove} ${name}`}
          onClick={() => void act(() => removeUser(userId))}
        >
          {text.remove}
        </Button>
      ),
      csv: () => '',
    },
  ]
  return (
    <>
      <PageHead
        title={text.title}
        about={text.about}
        aside={
          <Button look="primary" onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        }
      />
      <div className="space-y-4">
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        <Loaded query={users}>
          {(data) => (
            <Table
              title={text.users}
              rows={data.users}
              columns={columns}
              rowKey={({ userId }) => userId}
              empty={<Empty title={text.empty}>{text.emptyAbout}</Empty>}
            />
          )}
        </Loaded>
        <SecondPersonSwitch />
        <Sessions />
      </div>
      {isAdding ? <AddUser onClose={() => setAdding(false)} /> : null}
    </>
  )
}

/** What was typed, without what was left empty. */
function filled({ address, email }: { address: string; email: string }) {
  return {
    ...(address.trim() === '' ? {} : { address: address.trim() as Hex }),
    ...(email.trim() === '' ? {} : { email: email.trim() }),
  }
}

function AddUser({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<User['role']>('viewer')
  const { data: provider } = useIdentityProvider()
  const { act, fault } = useAct('admin')
  return (
    <Dialog title={text.add} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          void act(() => addUser({ name, role, ...filled({ address, email }) })).then((added) => added && onClose())
        }}
      >
        <Field label={text.name} value={name} onChange={setName} />
        <Field label={text.address} value={address} onChange={setAddress} placeholder="0x…" fault={fault} />
        {provider ? <Field label={text.email} value={email} onChange={setEmail} help={text.emailHelp} /> : null}
        <fieldset className="space-y-1.5">
          <legend className="text-sm font-medium">{text.role}</legend>
          {Object.entries(text.roles).map(([key, about]) => (
            <label key={key} className="flex items-center gap-2 text-sm">
              <input type="radio" name="role" checked={role === key} onChange={() => setRole(key as User['role'])} />{' '}
              {about}
            </label>
          ))}
        </fieldset>
        <Button
          type="submit"
          look="primary"
          className="w-full"
          disabled={name === '' || (address === '' && email === '')}
        >
          {text.add}
        </Button>
      </form>
    </Dialog>
  )
}

function Sessions() {
  const query = useQuery({ queryKey: ['admin', 'sessions'], queryFn: listSessions })
  const { act, fault } = useAct('admin')
  const columns: readonly Column<OpenSession>[] = [
    {
      key: 'name',
      name: text.columns.name,
      cell: ({ name, current }) => (
        <span className="inline-flex gap-2 font-medium">
          {name} {current ? <Badge tone="accent">{text.current}</Badge> : null}
        </span>
      ),
      csv: ({ name }) => name,
    },
    {
      key: 'role',
      name: text.columns.role,
      cell: ({ role, kind }) => showWords(role ?? kind),
      csv: ({ role, kind }) => role ?? kind,
    },
    {
      key: 'seen',
      name: text.columns.seen,
      wide: true,
      cell: ({ seenAt }) => <When at={seenAt} as="distance" />,
      csv: ({ seenAt }) => seenAt,
    },
    {
      key: 'expires',
      name: text.columns.expires,
      wide: true,
      cell: ({ expiresAt }) => <When at={expiresAt} />,
      csv: ({ expiresAt }) => expiresAt,
    },
    {
      key: 'agent',
      name: text.columns.agent,
      wide: true,
      cell: ({ userAgent }) => (
        <span className="block max-w-64 truncate text-muted" title={userAgent ?? undefined}>
          {browserOf(userAgent)}
        </span>
      ),
      csv: ({ userAgent }) => userAgent ?? '',
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: ({ sessionId, current, name }) =>
        current ? null : (
          <Button
            small
            look="danger"
            aria-label={`${text.end} ${name}`}
            onClick={() => void act(() => endSession(sessionId))}
          >
            {text.end}
          </Button>
        ),
      csv: () => '',
    },
  ]
  return (
    <Loaded query={query}>
      {({ sessions }) => (
        <>
          {fault ? <Notice tone="bad">{fault}</Notice> : null}
          <Table
            title={text.sessions}
            rows={sessions}
            columns={columns}
            rowKey={({ sessionId }) => sessionId}
            empty={<Empty title={text.sessionsEmpty} />}
          />
        </>
      )}
    </Loaded>
  )
}
