import type { Address as AddressValue, GetStock } from '@tallystick/sdk'
import { useState } from 'react'
import { tally } from '../../api/client.ts'
import { useAppointed, useRoles } from '../../api/registry.ts'
import { useOwnAddress } from '../../api/session.ts'
import { showWords } from '../../lib/format.ts'
import { useWrite } from '../../signing/use-write.ts'
import { t } from '../../texts/index.ts'
import { Badge, Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Address, Amount } from '../../ui/figures.tsx'
import { Waiting } from '../../ui/loading.tsx'
import { Empty } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { WriteForm } from '../write-form.tsx'

const text = t.capTable
type StockState = GetStock['data']

interface Row {
  readonly account: AddressValue
  readonly roles: readonly string[]
  readonly cap: string | null
  readonly outstanding: string
}

const { stocks } = tally

export function Roles({ stock }: { stock: StockState }) {
  const { tokenAddress } = stock
  const appointed = useAppointed(tokenAddress)
  const accounts = [...new Set([stock.owner, stock.issuerAddress as AddressValue, ...appointed])]
  const answers = useRoles(tokenAddress, accounts)
  const [dialog, setDialog] = useState<'sub-issuer' | 'controller' | 'cap'>()
  const rows = answers.flatMap(({ data }): Row[] => {
    if (!data || !('roles' in data.data)) return []
    const { account, roles, subIssuer } = data.data
    const held = Object.entries(roles).flatMap(([role, isHeld]) => (isHeld ? [role] : []))
    return [{ account, roles: held, cap: subIssuer.cap, outstanding: subIssuer.outstanding }]
  })
  const columns: readonly Column<Row>[] = [
    {
      key: 'account',
      name: text.columns.account,
      cell: ({ account }) => <Address value={account} />,
      csv: ({ account }) => account,
    },
    {
      key: 'roles',
      name: text.columns.roles,
      cell: ({ roles }) => (
        <span className="inline-flex flex-wrap gap-1">
          {roles.length === 0 ? <span className="text-muted">{text.formerly}</span> : null}
          {roles.map((role) => (
            <Badge key={role} tone="accent">
              {text.roleNames[role] ?? showWords(role)}
            </Badge>
          ))}
        </span>
      ),
      csv: ({ roles }) => roles.join(' '),
    },
    {
      key: 'outstanding',
      name: text.columns.outstanding,
      number: true,
      wide: true,
      cell: ({ outstanding }) => <Amount value={outstanding} unit={stock.symbol} />,
      csv: ({ outstanding }) => outstanding,
    },
    {
      key: 'cap',
      name: text.columns.cap,
      number: true,
      wide: true,
      cell: ({ cap, roles }) =>
        roles.includes('SUB_ISSUER') ? cap === null ? text.noCap : <Amount value={cap} unit={stock.symbol} /> : '–',
      csv: ({ cap }) => cap ?? '',
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: ({ account, roles }) => <Remove tokenAddress={tokenAddress} account={account} roles={roles} />,
      csv: () => '',
    },
  ]
  const onDone = () => setDialog(undefined)
  const account = { key: 'account', label: text.account, kind: 'address' } as const
  return (
    <div className="space-y-4">
      {stock.subIssuersAllowed ? null : <Notice tone="warn">{text.noSubIssuers}</Notice>}
      {answers.some(({ isPending }) => isPending) ? <Waiting rows={3} /> : null}
      <Table
        title={text.roles}
        rows={rows}
        columns={columns}
        rowKey={({ account: one }) => one}
        empty={<Empty title={text.noRoles} />}
        aside={
          <>
            <Button small onClick={() => setDialog('sub-issuer')}>
              {text.addSubIssuer}
            </Button>
            <Button small onClick={() => setDialog('cap')}>
              {text.setCap}
            </Button>
            <Button small onClick={() => setDialog('controller')}>
              {text.addController}
            </Button>
          </>
        }
      />
      {dialog === 'sub-issuer' ? (
        <Dialog title={text.addSubIssuer} onClose={onDone}>
          <div className="p-5">
            <WriteForm
              method={stocks.addSubIssuer}
              title={text.addSubIssuer}
              about={text.subIssuerAbout}
              fields={[account]}
              request={(body) => ({ params: { tokenAddress }, body })}
              onDone={onDone}
            />
          </div>
        </Dialog>
      ) : null}
      {dialog === 'cap' ? (
        <Dialog title={text.setCap} onClose={onDone}>
          <div className="p-5">
            <WriteForm
              method={stocks.setSubIssuerCap}
              title={text.setCap}
              fields={[account, { key: 'cap', label: text.cap, kind: 'text', unit: stock.symbol, help: text.capHelp }]}
              request={(body) => ({ params: { tokenAddress }, body })}
              onDone={onDone}
            />
          </div>
        </Dialog>
      ) : null}
      {dialog === 'controller' ? (
        <Dialog title={text.addController} onClose={onDone}>
          <div className="p-5">
            <WriteForm
              method={stocks.addController}
              title={text.addController}
              about={text.controllerAbout}
              fields={[account]}
              request={(body) => ({ params: { tokenAddress }, body })}
              onDone={onDone}
            />
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

function Remove({
  tokenAddress,
  account,
  roles,
}: {
  tokenAddress: AddressValue
  account: AddressValue
  roles: readonly string[]
}) {
  const signer = useOwnAddress()
  const subIssuer = useWrite(stocks.removeSubIssuer, { title: text.removeSubIssuer, signer })
  const controller = useWrite(stocks.removeController, { title: text.removeController, signer })
  const request = { params: { tokenAddress }, body: { account } }
  const fault = subIssuer.faults[''] ?? controller.faults['']
  return (
    <span className="inline-flex flex-wrap justify-end gap-1">
      {roles.includes('SUB_ISSUER') ? (
        <RemoveButton name={text.removeSubIssuer} write={subIssuer} onClick={() => void subIssuer.start(request)} />
      ) : null}
      {roles.includes('CONTROLLER') ? (
        <RemoveButton name={text.removeController} write={controller} onClick={() => void controller.start(request)} />
      ) : null}
      {fault ? <span className="text-xs text-bad">{fault}</span> : null}
    </span>
  )
}

interface RemoveButtonProps {
  readonly name: string
  readonly write: { readonly isBuilding: boolean }
  readonly onClick: () => void
}

/** On a phone there is room for one word; the row says of whom, and the name what. */
const RemoveButton = ({ name, write, onClick }: RemoveButtonProps) => (
  <Button small look="danger" aria-label={name} disabled={write.isBuilding} onClick={onClick}>
    <span className="max-sm:hidden">{name}</span>
    <span className="sm:hidden">{t.instance.remove}</span>
  </Button>
)
