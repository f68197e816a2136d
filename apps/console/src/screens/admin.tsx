import type { Hex } from '@tallystick/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
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
import { isCode } from '../api/client.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Address, When } from '../ui/figures.tsx'
import { Loaded, messageOf } from '../ui/loading.tsx'
import { Empty, PageHead } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { SecondPersonSwitch } from './second-person-switch.tsx'

const text = t.admin

/** Does something, shows what is refused, and reads everything again. */
function useAct() {
  const client = useQueryClient()
  const [fault, setFault] = useState<string>()
  async function act(work: Promise<unknown>): Promise<boolean> {
    setFault(undefined)
    try {
      await work
      await client.invalidateQueries({ queryKey: ['admin'] })
      return true
    } catch (error) {
      setFault(messageOf(error))
      return false
    }
  }
  return { act, fault }
}

export function Admin() {
  const users = useQuery({ queryKey: ['admin', 'users'], queryFn: listUsers })
  const [isAdding, setAdding] = useState(false)
  const { act, fault } = useAct()
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
      cell: ({ address }) => <Address value={address} />,
      csv: ({ address }) => address,
    },
    {
      key: 'role',
      name: text.columns.role,
      cell: ({ userId, name, role }) => (
        <select
          aria-label={`${text.role}: ${name}`}
          value={role}
          onChange={(event) => void act(changeRole(userId, event.target.value as User['role']))}
          className="h-7 rounded-md border border-line bg-panel px-1.5 text-xs"
        >
          {Object.keys(text.roles).map((key) => (
            <option key={key} value={key}>
              {key}
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
        <Button small look="danger" aria-label={`${text.remove} ${name}`} onClick={() => void act(removeUser(userId))}>
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

function AddUser({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [role, setRole] = useState<User['role']>('viewer')
  const { act, fault } = useAct()
  return (
    <Dialog title={text.add} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          void act(addUser({ name, address: address.trim() as Hex, role })).then((done) => done && onClose())
        }}
      >
        <Field label={text.name} value={name} onChange={setName} />
        <Field label={text.address} value={address} onChange={setAddress} placeholder="0x…" fault={fault} />
        <fieldset className="space-y-1.5">
          <legend className="text-sm font-medium">{text.role}</legend>
          {Object.entries(text.roles).map(([key, about]) => (
            <label key={key} className="flex items-center gap-2 text-sm">
              <input type="radio" name="role" checked={role === key} onChange={() => setRole(key as User['role'])} />{' '}
              {about}
            </label>
          ))}
        </fieldset>
        <Button type="submit" look="primary" className="w-full" disabled={name === '' || address === ''}>
          {text.add}
        </Button>
      </form>
    </Dialog>
  )
}

function Sessions() {
  const query = useQuery({ queryKey: ['admin', 'sessions'], queryFn: listSessions })
  const { act, fault } = useAct()
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
      cell: ({ role, kind }) => role ?? kind,
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
      cell: ({ userAgent }) => <span className="block max-w-64 truncate text-muted">{userAgent ?? '–'}</span>,
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
            onClick={() => void act(endSession(sessionId))}
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
