import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createDemoClient } from './demo-client.ts'

describe('the client of the demo', () => {
  const servers: ReturnType<typeof createServer>[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  /** Answers these in turn, and counts how often it was asked. */
  async function serving(...answers: readonly object[]) {
    let asked = 0
    const server = createServer((_, response) => {
      response.end(JSON.stringify(answers[Math.min(asked, answers.length - 1)]))
      asked += 1
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { call: createDemoClient(`http://127.0.0.1:${port}`, 'key'), asked: () => asked }
  }
  const refusal = (code: string) => ({ success: false, data: null, error: { code, message: 'no' } })

  it('asks again where a busy service did nothing', async () => {
    const { call, asked } = await serving(refusal('OVERLOADED'), refusal('OVERLOADED'), { success: true, data: 7 })
    expect(await call('POST', '/x', {})).toBe(7)
    expect(asked()).toBe(3)
  })

  it('asks again where nobody knows what was done, if that does no harm', async () => {
    const unsure = refusal('SERVICE_UNAVAILABLE')
    for (const [method, path, body] of [
      ['GET', '/x'],
      ['POST', '/x/confirm', {}],
      ['POST', '/x', { txHash: '0x' }],
      ['POST', '/orders/batch', { orders: [{ clientOrderId: 'one' }, { clientOrderId: 'two' }] }],
    ] as const) {
      const { call, asked } = await serving(unsure, { success: true, data: 7 })
      expect(await call(method, path, body)).toBe(7)
      expect(asked()).toBe(2)
    }
    for (const body of [{ side: 'BUY' }, { orders: [{ clientOrderId: 'one' }, {}] }, { orders: [] }]) {
      const { call, asked } = await serving(unsure)
      await expect(call('POST', '/orders', body)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      expect(asked()).toBe(1)
    }
  })

  it('does not ask again for any other reason', async () => {
    const { call, asked } = await serving(refusal('CHAIN_UNAVAILABLE'))
    await expect(call('GET', '/x')).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(asked()).toBe(1)
  })
})
