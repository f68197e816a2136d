import type { Address, CanTransferShares } from '@tallystick/sdk'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { tally } from '../../api/client.ts'
import { useStocks } from '../../api/registry.ts'
import { shortAddress } from '../../lib/format.ts'
import { t } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { messageOf } from '../../ui/loading.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { amountFault } from '../amounts.ts'

const text = t.talk
type Verdict = CanTransferShares['data']

interface Question {
  readonly tokenAddress: Address
  readonly symbol: string
  readonly from: Address
  readonly to: Address
  readonly amount: string
}

interface Turn {
  readonly id: number
  readonly question: Question
  readonly verdict: Verdict | { readonly fault: string }
}

export function AskTransfer() {
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <TransferTalk />
    </>
  )
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const addressFault = (typed: string) => (typed === '' || ADDRESS.test(typed.trim()) ? undefined : t.forms.notAddress)

/** Which rule refuses a transfer, and what fixes it: asked and answered in words. */
export function TransferTalk({ to: known = '' }: { to?: string }) {
  const stocks = useStocks()
  const [token, setToken] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState(known)
  const [amount, setAmount] = useState('1')
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const chosen = stocks.data?.data.find(({ tokenAddress }) => tokenAddress === token) ?? stocks.data?.data[0]
  const isReady = chosen && ADDRESS.test(from.trim()) && ADDRESS.test(to.trim()) && amountFault(amount) === undefined
  async function ask(question: Question): Promise<void> {
    const { tokenAddress, from: giver, to: taker } = question
    const verdict = await tally.stocks
      .canTransferShares({ params: { tokenAddress }, query: { from: giver, to: taker, amount: question.amount } })
      .then(({ data }) => data)
      .catch((error: unknown) => ({ fault: messageOf(error) }))
    setTurns((before) => [...before, { id: before.length, question, verdict }])
  }
  return (
    <Panel title={text.title}>
      <ol aria-live="polite" className="mb-4 space-y-3 empty:hidden">
        {turns.map((turn) => (
          <Said key={turn.id} turn={turn} onAgain={() => void ask(turn.question)} />
        ))}
      </ol>
      <form
        className="grid gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!chosen || !isReady) return
          const { tokenAddress, symbol } = chosen
          const wallets = { from: from.trim() as Address, to: to.trim() as Address }
          void ask({ tokenAddress, symbol, ...wallets, amount: amount.trim() })
        }}
      >
        <Field label={text.from} value={from} onChange={setFrom} placeholder="0x…" fault={addressFault(from)} />
        <Field label={text.to} value={to} onChange={setTo} placeholder="0x…" fault={addressFault(to)} />
        <Field
          label={text.amount}
          value={amount}
          onChange={setAmount}
          inputMode="decimal"
          fault={amountFault(amount)}
        />
        <Choice
          label={text.token}
          value={chosen?.tokenAddress ?? ''}
          options={(stocks.data?.data ?? []).map(({ tokenAddress, name, symbol }) => ({
            value: tokenAddress as string,
            name: `${name} (${symbol})`,
          }))}
          onChange={setToken}
        />
        <Button type="submit" look="primary" className="sm:col-span-2" disabled={!isReady}>
          {text.ask}
        </Button>
      </form>
    </Panel>
  )
}

const Bubble = ({ own = false, children }: { own?: boolean; children: ReactNode }) => (
  <div className={`max-w-[85%] rounded-lg px-3 py-2 text-sm ${own ? 'ml-auto bg-accent-soft' : 'bg-raised'}`}>
    {children}
  </div>
)

function Said({ turn: { question, verdict }, onAgain }: { turn: Turn; onAgain: () => void }) {
  const { from, to, amount, symbol } = question
  return (
    <li className="space-y-2">
      <Bubble own>
        {text.could} <span className="font-mono text-xs">{shortAddress(from)}</span> {text.send}{' '}
        <span className="num">
          {amount} {symbol}
        </span>{' '}
        {text.toWhom} <span className="font-mono text-xs">{shortAddress(to)}</span>?
      </Bubble>
      <Bubble>
        {'fault' in verdict ? verdict.fault : <Answer question={question} verdict={verdict} onAgain={onAgain} />}
      </Bubble>
    </li>
  )
}

interface Advice {
  readonly why: string
  readonly fix: string
  /** Whose file, or which page, has the remedy. */
  readonly at: 'sender' | 'receiver' | 'token'
}

const WHERE: Readonly<Record<string, Advice['at']>> = {
  SENDER_NOT_VERIFIED: 'sender',
  RECEIVER_NOT_VERIFIED: 'receiver',
  SENDER_TOKENS_FROZEN: 'token',
  RECEIVER_TOKENS_FROZEN: 'token',
  SENDER_NOT_ELIGIBLE: 'sender',
  RECEIVER_NOT_ELIGIBLE: 'receiver',
}

/** The rule as the token names it says most; the kind of it, something; a rule of a later token is at least named. */
function adviceOf({ rule, code }: Verdict): Advice {
  const known = text.rules[rule] ?? text.rules[code] ?? text.rules.UNKNOWN
  const at = WHERE[rule] ?? WHERE[code] ?? 'token'
  return { why: known?.why ?? '', fix: known?.fix ?? '', at }
}

function Answer({ question, verdict, onAgain }: { question: Question; verdict: Verdict; onAgain: () => void }) {
  if (verdict.allowed)
    return (
      <span className="inline-flex items-center gap-1.5 text-good">
        <Icon name="check" /> {text.yes}
      </span>
    )
  const { why, fix, at } = adviceOf(verdict)
  const file = at === 'sender' ? question.from : question.to
  return (
    <div className="space-y-2">
      <p>
        <span className="font-medium text-bad">{text.no}</span> {why}
      </p>
      <p>
        <span className="font-medium">{text.fix}</span> {fix}
      </p>
      <p className="text-xs text-muted">
        {text.rule} <span className="font-mono">{verdict.rule}</span>
        {verdict.module ? (
          <>
            {' '}
            · {text.module} <span className="font-mono">{shortAddress(verdict.module)}</span>
          </>
        ) : null}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {at === 'token' ? (
          <Link
            to="/cap-table/$tokenAddress"
            params={{ tokenAddress: question.tokenAddress }}
            search={{ tab: 'actions' }}
            className="text-accent underline"
          >
            {text.toToken}
          </Link>
        ) : (
          <Link to="/investors/$walletAddress" params={{ walletAddress: file }} className="text-accent underline">
            {text.toFile} {shortAddress(file)}
          </Link>
        )}
        <Button small onClick={onAgain}>
          {text.again}
        </Button>
      </div>
    </div>
  )
}
