import { operations } from '@tallystick/wire'
import { describe, expect, it } from 'vitest'
import { type McpTool, requestOf, toolsFor } from './tools.ts'

const all = toolsFor(null)
const tool = (name: string): McpTool => {
  const found = all.find((one) => one.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  return found
}

describe('the tools of a model', () => {
  it('are the reads and the builds, and nothing that changes, confirms, streams or shows a secret', () => {
    const names = new Set(all.map(({ name }) => name))
    for (const operation of operations) {
      const { legs, stream, files, secret } = operation
      const isOffered = Boolean((legs.read || legs.build) && !stream && !files && !secret)
      expect([operation.id, names.has(operation.id)]).toEqual([operation.id, isOffered])
    }
    for (const name of [
      'createKey',
      'rotateHookSecret',
      'creditLedger',
      'submitOrder',
      'streamFills',
      'confirmAttestation',
    ])
      expect([name, names.has(name)]).toEqual([name, false])
  })

  it('take what their operation takes, but neither a hash nor a relayer', () => {
    for (const { name, inputSchema, operation, leg } of all) {
      const fields = Object.keys(inputSchema.properties)
      expect([name, fields.filter((field) => ['txHash', 'useRelayer', 'format'].includes(field))]).toEqual([name, []])
      const known = [operation.params, operation.query, operation.legs[leg]?.body ?? operation.body].flatMap((schema) =>
        Object.keys(schema?.properties ?? {}),
      )
      expect([name, fields.filter((field) => field !== 'surface' && !known.includes(field))]).toEqual([name, []])
      if (leg === 'build') expect(inputSchema).toMatchObject({ additionalProperties: false })
    }
  })

  it('say of every build that nothing is signed', () => {
    for (const { name, leg, description } of all)
      expect([name, description.includes('Nothing is signed or sent')]).toEqual([name, leg === 'build'])
  })

  it('are those that the scopes and services of a key open', () => {
    const reading = toolsFor({ scopes: ['lending:read', 'tokens:read'], services: ['lending'] })
    expect(reading.length).toBeGreaterThan(10)
    for (const { name, operation } of reading) expect([name, operation.scope]).toEqual([name, 'lending:read'])
    expect(reading.map(({ name }) => name)).not.toContain('openLoan')
    expect(toolsFor({ scopes: ['lending:write'], services: ['lending'] }).map(({ name }) => name)).toContain('openLoan')
    expect(toolsFor({ scopes: [], services: [] })).toEqual([])
  })

  it('can be fewer, by feature or without builds', () => {
    const some = toolsFor(null, { features: ['tokens'], readOnly: true })
    expect(some.map(({ name }) => name).sort()).toEqual(['detectToken', 'getImport', 'listImports'])
  })

  it('make the request of their operation', () => {
    expect(requestOf(tool('getMarket'), { marketId: 'a/b' })).toEqual({
      method: 'GET',
      path: expect.stringMatching(/\/markets\/a%2Fb$/),
    })
    const surface = 'lending-stocks'
    expect(requestOf(tool('getMarket'), { marketId: 'x', surface }).path).toMatch(/^\/lending-stocks\/api\//)
    expect(requestOf(tool('listAudit'), { limit: '5', operation: 'createKey' })).toEqual({
      method: 'GET',
      path: '/access/api/audit?operation=createKey&limit=5'.replace(
        'operation=createKey&limit=5',
        new URLSearchParams({ limit: '5', operation: 'createKey' }).toString(),
      ),
    })
    expect(requestOf(tool('detectToken'), { tokenAddress: '0x1' })).toEqual({
      method: 'POST',
      path: '/external-tokens/api/detect',
      body: { tokenAddress: '0x1' },
    })
  })

  it('refuse by name what they do not take', () => {
    expect(() => requestOf(tool('pauseMarket'), { marketId: 'x', txHash: '0x1' })).toThrow('takes no txHash')
    expect(() => requestOf(tool('removeSubIssuer'), { tokenAddress: 'x', useRelayer: true })).toThrow(
      'takes no useRelayer',
    )
    expect(() => requestOf(tool('getMarket'), {})).toThrow('needs marketId')
    expect(() => requestOf(tool('getMarket'), { marketId: 'x', surface: 'nowhere' })).toThrow('not served by')
  })
})
