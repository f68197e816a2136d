import { call } from './call.ts'
import { interleave, ratio } from './measure.ts'
import { type Report, rate } from './report.ts'
import type { Addresses, BenchWorld } from './world.ts'

/** The list and the detection of imported tokens, and what an idempotency key costs. */
export async function measureTokens(
  { tokens, holder, limitedKey }: BenchWorld,
  { product, bare }: Addresses,
  report: Report,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const api = `${product}/external-tokens/api`
  const headers = { 'x-api-key': holder.apiKey, 'content-type': 'application/json' }
  for (const tokenAddress of tokens) await call(`${api}/import`, { headers, body: { tokenAddress, assetType: 'BOND' } })

  const list = await interleave(
    { ours: { url: `${api}/list`, headers }, bare: { url: `${bare}/list` } },
    rounds,
    seconds,
  )
  report.throughput(`list ${tokens.length} imports / bare route with the same select`, list.ours, list.bare, 0.7)

  const limited = { url: `${api}/list`, headers: { ...headers, 'x-api-key': limitedKey } }
  const counted = await interleave({ limited, free: { url: `${api}/list`, headers } }, rounds, seconds)
  report.throughput('the same with a limited key / without a limit', counted.limited, counted.free, 0.9)

  const [token = ''] = tokens
  const body = JSON.stringify({ tokenAddress: token })
  const chainLoads = {
    ours: { url: `${api}/detect`, method: 'POST', headers, body },
    bare: { url: `${bare}/chain`, method: 'POST' },
    viem: { url: `${bare}/viem`, method: 'POST' },
  } as const
  const read = await interleave(chainLoads, rounds, seconds)
  report.slowness('chain-backed read, p50 / bare route with the same read', read.ours, read.bare, 1.5)
  report.throughput('chain-backed read / the same read by default viem', read.ours, read.viem, 2)

  let last = 0
  const image = {
    url: `${api}/${token}/image`,
    method: 'PUT',
    headers,
    body: JSON.stringify({ imageURI: 'https://a.example/i.png' }),
  } as const
  const next = () => {
    last += 1
    return `bench-${process.pid}-${last}`
  }
  const write = await interleave(
    { keyed: { ...image, uniqueHeader: { name: 'idempotency-key', next } }, plain: image },
    rounds,
    seconds,
  )
  const keyed = ratio(write.keyed, write.plain, 'perSecond')
  report.row('idempotent POST / the plain one', keyed, 'printed', true, `${rate(write.keyed)} / ${rate(write.plain)}`)
}
