import { describe, expect, it } from 'vitest'
import { reportsOf } from './report.ts'

const hash = `0x${'a'.repeat(64)}` as const
const call = {
  to: null,
  data: '0x' as const,
  chainId: 1,
  gas: undefined,
  description: undefined,
  requiredSigner: undefined,
  step: { fieldName: 'root' },
}
const sent = [{ call, hash }]
const path = '/{surface}/api/markets/{marketId}/allow-extension'
const surfaces = ['lending-external-securities-v2']
const twoLeg = { id: 'setAllowExtension', method: 'POST', path, surfaces, confirmedBy: 'txHash' }
const buildOnly = { id: 'proposeExtension', method: 'POST', path: '/x', surfaces }
const request = { params: { marketId: 'm' }, body: { allowed: true } }
const at = (rest: string) => `/lending-external-securities-v2/api/markets/m/${rest}`

describe('where a transaction is reported', () => {
  it('repeats the own body with the hash', () => {
    const confirmWith = { endpoint: at('allow-extension'), field: 'txHash' }
    const reports = [{ path: undefined, body: { allowed: true, txHash: hash } }]
    expect(reportsOf({ confirmWith }, sent, twoLeg, request)).toEqual(reports)
    expect(reportsOf({ confirmWith: { field: 'txHash' } }, sent, twoLeg, request)).toEqual(reports)
    expect(reportsOf({}, sent, twoLeg, request)).toEqual(reports)
  })

  it('fills in the body that the answer names', () => {
    const body = { price: '5', action: null, txHash: null }
    expect(reportsOf({ confirmWith: { field: 'txHash', body } }, sent, twoLeg, request)).toEqual([
      { path: undefined, body: { price: '5', txHash: hash } },
    ])
  })

  it('goes to another route with nothing but what the answer names', () => {
    const confirmWith = { endpoint: at('extensions/confirm-tx'), field: 'txHash' }
    expect(reportsOf({ confirmWith }, sent, buildOnly, request)).toEqual([
      { path: confirmWith.endpoint, body: { txHash: hash } },
    ])
  })

  it('reports all results of one request at once', () => {
    const attest = {
      id: 'attestProofs',
      method: 'POST',
      path: '/customers/api/identity/proofs',
      confirmedBy: 'txResults',
    }
    const confirmWith = { endpoint: attest.path, field: 'txResults', shape: '…' }
    expect(reportsOf({ confirmWith }, sent, attest, { body: { walletAddress: '0x' } })).toEqual([
      { path: undefined, body: { walletAddress: '0x', txResults: [{ fieldName: 'root', txHash: hash }] } },
    ])
  })

  it('reports nothing where nothing is to be reported', () => {
    expect(reportsOf({}, sent, buildOnly, request)).toEqual([])
    expect(reportsOf({ confirmWith: { endpoint: '/x', retryWith: {} } }, sent, buildOnly, request)).toEqual([])
    expect(reportsOf({ contractCreation: true }, sent, twoLeg, request)).toEqual([])
    expect(reportsOf({}, [], twoLeg, request)).toEqual([])
  })
})
