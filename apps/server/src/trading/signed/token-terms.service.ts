import { type Address, parseAbi, zeroAddress } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Custody } from './custody.ts'
import { readEras } from './eras.store.ts'
import { createInquiry } from './inquiry.ts'
import type { OnchainBook } from './onchain-book.ts'
import { createSettlementCustody } from './settlement-custody.ts'
import { isVaultClass } from './signed-order.rules.ts'
import { createVaultCustody, tokenInfoRead } from './vault-custody.ts'

const rulesByCode = ['NONE', 'CAN_TRANSFER', 'ERC3643', 'ERC1404'] as const

/** How a vault asks a token who may hold it. */
export interface TokenTerms {
  readonly token: Address
  readonly rules: (typeof rulesByCode)[number]
  readonly rulesCode: number
  readonly registry: Address
  readonly compliance: Address
}

const dialects = parseAbi([
  'function identityRegistry() view returns (address)',
  'function compliance() view returns (address)',
])

type Questions = Omit<Custody, 'eras'>

/** They change with the token's own set-up, which is rare; settling asks again in any case. */
const REMEMBERED_MS = 60_000
const REMEMBERED_PAIRS = 1_000

/** The custody contract of a book, ready to be asked. What decides which questions to ask is remembered for a minute. */
export function createCustodies({ clock, database }: { readonly clock: Clock; readonly database: Database }) {
  const known = new Map<string, { readonly custody: Questions; readonly until: number }>()

  async function readTerms(chain: Chain, { custody, token, quote }: OnchainBook): Promise<[TokenTerms, TokenTerms]> {
    const inquiry = createInquiry()
    const ask = (one: Address) => {
      const info = inquiry.askOurs(tokenInfoRead(custody, one))
      const registry = inquiry.ask(contractRead(one, dialects, 'identityRegistry', []))
      const compliance = inquiry.ask(contractRead(one, dialects, 'compliance', []))
      return (): TokenTerms => {
        const [of, by] = [registry(), compliance()]
        const [, rulesCode] = info()
        return {
          token: one,
          rules: rulesByCode[rulesCode] ?? 'ERC1404',
          rulesCode,
          // Nobody stands there, so nobody says yes.
          registry: of.ok ? of.value : zeroAddress,
          compliance: by.ok ? by.value : zeroAddress,
        }
      }
    }
    const [base, money] = [ask(token), ask(quote)]
    await inquiry.send(chain)
    return [base(), money()]
  }

  const keyOf = ({ chainId, custody, token, quote }: OnchainBook) => `${chainId} ${custody} ${token} ${quote}`

  async function questionsOf(chain: Chain, book: OnchainBook): Promise<Questions> {
    if (!isVaultClass(book.class)) return createSettlementCustody(book)
    const now = clock.now().getTime()
    const found = known.get(keyOf(book))
    if (found && found.until > now) return found.custody
    const custody = createVaultCustody(book, ...(await readTerms(chain, book)))
    if (known.size >= REMEMBERED_PAIRS) known.clear()
    known.set(keyOf(book), { custody, until: now + REMEMBERED_MS })
    return custody
  }

  return {
    async of(chain: Chain, book: OnchainBook): Promise<Custody> {
      // Beside the caller's own transaction, which may hold a connection already.
      const [questions, eras] = await Promise.all([
        questionsOf(chain, book),
        database.aside('tally_chain', (sql) => readEras(sql, book)),
      ])
      return { ...questions, eras }
    },

    forget: (book: OnchainBook) => known.delete(keyOf(book)),
  }
}

export type Custodies = ReturnType<typeof createCustodies>
