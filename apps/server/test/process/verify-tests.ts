import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { safeAbi } from '@tallystick/testkit'
import { encodeFunctionData, getAddress, type Hex, zeroAddress } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RunningStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { run } from './program.ts'
import { tallyHere } from './tally.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into and tampered with freely
type Answer = any
const stranger = `0x${'ba5e'.repeat(10)}` as const
const word = (value: string) => value.toLowerCase().replace('0x', '').padStart(64, '0')

/** On a stack that runs already. */
export const describeVerify = (running: () => { stack: RunningStack; folder: string }) =>
  describe('tally verify', () => {
    let folder = ''
    let stack: RunningStack
    let borrower = ''
    let repayment: Answer
    let role: Answer
    let issue: Answer
    const asked = { recipient: '', amount: '25' }

    async function build(as: string, path: string, body: object): Promise<Answer> {
      const answer = await callHttp(stack.url, stack.demo.instances[as]?.apiKey ?? '', 'POST', path, { body })
      expect(answer.body.success, answer.text).toBe(true)
      return answer.body
    }

    beforeAll(async () => {
      ;({ stack, folder } = running())
      const market = stack.demo.markets.freeze
      const record = market?.records.lender ?? ''
      borrower = stack.demo.instances.issuer?.wallets.find(({ label }) => label === 'Borrower')?.address ?? ''
      asked.recipient = borrower
      repayment = await build('lender', `/lending-external-securities/api/positions/${record}/repay`, {
        loanId: market?.loans.healthy,
        amount: '100',
        payerAddress: borrower,
      })
      role = await build('lender', `/lending-external-securities-v2/api/markets/${record}/access-role`, {
        role: 'MARKET_ISSUER',
        address: borrower,
        action: 'grant',
      })
      issue = await build('issuer', `/stocks/api/tokenization/${stack.demo.tokens.NWP}/issue`, asked)
    })

    const file = (name: string, content: unknown) => {
      const path = join(folder, name)
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    }

    /** What the command says to programs, and how it ends. */
    async function verify(answer: unknown, ...options: string[]): Promise<{ said: Answer; exitCode: unknown }> {
      const args = ['verify', file('answer.json', answer), '--rpc', stack.demo.rpcUrl, '--json', ...options]
      const { text, exitCode } = await tallyHere({ DATA_DIR: folder }, args)
      return { said: JSON.parse(text), exitCode }
    }
    async function refusals(answer: unknown, ...options: string[]): Promise<string[]> {
      const { said, exitCode } = await verify(answer, ...options)
      const found = said.findings.filter(({ refuses }: { refuses: boolean }) => refuses)
      expect([exitCode, said.verdict]).toEqual(found.length > 0 ? [1, 'refused'] : [undefined, 'nothing found'])
      return [...new Set<string>(found.map(({ code }: { code: string }) => code))].sort()
    }
    /** The same answer, changed by somebody on its way. */
    function tampered(answer: Answer, change: (data: Answer) => void): Answer {
      const copy = structuredClone(answer)
      change(copy.data)
      return copy
    }
    const changed = (text: string, from: string, to: string): string => {
      expect(text).toContain(from)
      return text.replace(from, to)
    }
    const steps = () => repayment.data.steps as { transaction: { to: string; data: Hex } }[]
    /** Every transaction in an answer, wherever it stands. */
    function transactionsIn(data: Answer): { to: string; data: string; chainId?: number; value?: string }[] {
      if (typeof data !== 'object' || data === null) return []
      const own = typeof data.to === 'string' && typeof data.data === 'string' ? [data] : []
      return [...own, ...Object.values(data).flatMap(transactionsIn)]
    }
    const rewritten = (answer: Answer, from: string, to: string) =>
      tampered(answer, (data) => {
        for (const transaction of transactionsIn(data)) transaction.data = changed(transaction.data, from, to)
      })

    it('says what is signed, on which chain, to which contract, and what leaves the wallet', async () => {
      const { said, exitCode } = await verify(repayment)
      expect(said.findings).toEqual([])
      expect([exitCode, said.verdict, said.chainId]).toEqual([undefined, 'nothing found', 31_337])
      const market = stack.demo.markets.freeze
      const [approval, payment] = said.calls
      expect(approval).toMatchObject({ contract: 'Token', functionName: 'approve', signer: borrower })
      expect(approval.because).toContain(`the borrowAsset of LendingMarket ${market?.marketAddress}`)
      expect(payment).toMatchObject({ contract: 'LendingMarket', functionName: 'repay', to: market?.marketAddress })
      expect(payment.sentence).toMatch(new RegExp(`^Pays at most 100 \\w+ on loan ${market?.loans.healthy}\\.$`))
      expect(said.wallet.success).toBe(true)
      expect(said.wallet.leaves).toEqual([
        expect.objectContaining({
          amount: expect.stringMatching(/^100 /),
          counterparty: market?.marketAddress,
          is: 'LendingMarket',
        }),
      ])
      expect((await verify(role)).said).toMatchObject({
        verdict: 'nothing found',
        calls: [{ contract: 'LendingMarket', sentence: `Gives role ISSUER_ROLE to ${getAddress(borrower)}.` }],
      })
      const request = file('request.json', asked)
      expect((await verify(issue, '--request', request)).said).toMatchObject({
        verdict: 'nothing found',
        calls: [{ contract: 'StockToken', sentence: `Issues 25 NWP to ${getAddress(borrower)}.` }],
      })
    })

    it('says it to people, and ends with 1 when it refuses', async () => {
      const options = { env: { DATA_DIR: folder } }
      const args = (answer: unknown) => ['verify', file('people.json', answer), '--rpc', stack.demo.rpcUrl]
      const honest = await run('cli', { ...options, args: args(repayment) })
      expect(await honest.ended, honest.stderr()).toBe(0)
      expect(honest.stdout()).toMatch(/^Call 1 of \d: Lets 0x\w+ take up to 100 \w+ from the signer\.$/m)
      expect(honest.stdout()).toMatch(/^ {2}leaves +100 \w+ to 0x\w+ \(LendingMarket\)$/m)
      expect(honest.stdout()).toMatch(/Nothing speaks against it\. .+\n$/)
      const forged = rewritten(role, word(borrower), word(stranger))
      const refused = await run('cli', { ...options, args: args(forged) })
      expect(await refused.ended).toBe(1)
      expect(refused.stdout()).toMatch(/REFUSED {2}ADDRESS_MISMATCH at data\S+: .+\n/)
      expect(refused.stdout()).toMatch(/Refused: do not sign this\.\n$/)
    })

    it('refuses another recipient', async () => {
      const forged = rewritten(role, word(borrower), word(stranger))
      expect(await refusals(forged)).toEqual(['ADDRESS_MISMATCH'])
      // Nothing in this answer names the recipient: only its holder knows who it should be.
      const issued = rewritten(issue, word(borrower), word(stranger))
      expect(await refusals(issued, '--request', file('request.json', asked))).toContain('NOT_REQUESTED')
    })

    it('refuses another amount', async () => {
      const raw = steps()[1]?.transaction.data.slice(-64) ?? ''
      const more = (BigInt(`0x${raw}`) * 2n).toString(16).padStart(64, '0')
      const forged = tampered(repayment, (data) => {
        for (const { transaction } of data.steps.slice(0, 2)) transaction.data = changed(transaction.data, raw, more)
      })
      expect(await refusals(forged)).toEqual(['AMOUNT_MISMATCH'])
      const issuedRaw = transactionsIn(issue.data)[0]?.data.slice(74, 138) ?? ''
      const issued = rewritten(issue, issuedRaw, (BigInt(`0x${issuedRaw}`) * 10n).toString(16).padStart(64, '0'))
      expect(await refusals(issued, '--request', file('request.json', asked))).toEqual(['NOT_REQUESTED'])
    })

    it('refuses another loan, another function, and ether', async () => {
      const loan = steps()[1]?.transaction.data.slice(10, 74) ?? ''
      const forged = tampered(repayment, (data) => {
        data.steps[1].transaction.data = changed(data.steps[1].transaction.data, loan, word('0x63'))
      })
      expect(await refusals(forged)).toContain('FIGURE_MISMATCH')
      const other = tampered(repayment, (data) => {
        data.steps[1].transaction.data = '0x8456cb59'
      })
      expect(await refusals(other)).toContain('FUNCTION_MISMATCH')
      const unheard = tampered(repayment, (data) => {
        data.steps[1].transaction.data = '0xdeadbeef'
      })
      expect(await refusals(unheard)).toContain('FUNCTION_UNKNOWN')
      const paid = tampered(repayment, (data) => {
        data.steps[0].transaction.value = '1'
      })
      expect(await refusals(paid)).toContain('VALUE_NOT_ZERO')
    })

    it('refuses another contract, and an allowance for a stranger or of another token', async () => {
      const at = (step: number, to: string) =>
        tampered(repayment, (data) => {
          data.steps[step].transaction.to = to
        })
      expect(await refusals(at(1, stranger))).toContain('CONTRACT_MISSING')
      expect(await refusals(at(1, stack.demo.tokens.NWP ?? ''))).toContain('FUNCTION_UNKNOWN')
      const twin = stack.demo.contracts.LendingMarketImplementation ?? ''
      expect(await refusals(at(1, twin))).toContain('CONTRACT_UNKNOWN')
      const foreign = Object.values(stack.demo.tokens).find((token) => token !== steps()[0]?.transaction.to) ?? ''
      expect(await refusals(at(0, foreign))).not.toEqual([])
      const spender = tampered(repayment, (data) => {
        const { transaction } = data.steps[0]
        transaction.data = changed(
          transaction.data,
          word(stack.demo.markets.freeze?.marketAddress ?? ''),
          word(stranger),
        )
      })
      expect(await refusals(spender)).toContain('SPENDER_UNKNOWN')
    })

    it('refuses another chain', async () => {
      const forged = tampered(repayment, (data) => {
        for (const { transaction } of data.steps) transaction.chainId = 1
      })
      expect(await refusals(forged)).toEqual(['CHAIN_MISMATCH'])
    })

    it('looks into what a Safe is asked to do, and refuses a delegate call', async () => {
      const [{ to, data } = { to: '', data: '' }] = transactionsIn(role.data)
      const exec = (operation: number, inner = data) => {
        const args = [to, 0n, inner, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, '0x'] as never
        const wrapped = {
          to: stranger,
          data: encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args }),
        }
        return { success: true, data: { transaction: { ...wrapped, value: '0', chainId: 31_337 } } }
      }
      expect(await refusals(exec(1))).toContain('SAFE_DELEGATECALL')
      const honest = (await verify(exec(0))).said
      expect(honest.calls[0]).toMatchObject({
        to,
        signer: stranger,
        contract: 'LendingMarket',
        functionName: 'grantRole',
      })
      expect(honest.findings.map(({ code }: { code: string }) => code)).not.toContain('SAFE_DELEGATECALL')
      const asFile = { version: '1.0', chainId: '31337', transactions: [{ to, value: '0', data, operation: 1 }] }
      expect(await refusals(asFile)).toEqual(['SAFE_DELEGATECALL'])
      expect(await refusals({ ...asFile, chainId: '1', transactions: [{ to, value: '0', data }] })).toEqual([
        'CHAIN_MISMATCH',
      ])
    })

    it('refuses an answer for another wallet, and one whose call reverts although it should not', async () => {
      expect(await refusals(repayment, '--from', stranger)).toEqual(
        expect.arrayContaining(['SIGNER_MISMATCH', 'SIMULATION_DIFFERS']),
      )
      expect(await refusals(repayment, '--from', borrower)).toEqual([])
    })

    it('believes no record that names other code', async () => {
      const { chainId, contracts } = stack.demo
      const forged = file('record.json', {
        chainId,
        contracts: { ...contracts, LendingFactory: contracts.StockFactory },
      })
      expect(await refusals(repayment, '--deployment', forged)).toEqual(
        expect.arrayContaining(['CONTRACT_UNKNOWN', 'RECORD_NOT_OURS']),
      )
      const elsewhere = file('record.json', { chainId: 1, contracts })
      expect(await refusals(repayment, '--deployment', elsewhere)).toContain('RECORD_OF_ANOTHER_CHAIN')
    })

    it('refuses what is no answer', async () => {
      for (const [text, why] of [
        ['no json', 'It is no JSON.'],
        ['[]', 'It asks nobody'],
        ['{"success":false,"error":{"code":"X"}}', 'It is a refusal.'],
        ['{"success":true,"data":{"items":[]}}', 'It asks nobody'],
      ]) {
        const { said, exitCode } = await verify(text)
        expect(exitCode).toBe(1)
        expect(said.findings[0]).toMatchObject({
          code: 'ANSWER_UNREADABLE',
          message: expect.stringContaining(why ?? ''),
        })
      }
    })
  })
