import { createRequire } from 'node:module'
import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { connectChain, connectTestCluster, deploy } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { isTracingWanted, startTelemetry } from '../../src/platform/telemetry.ts'
import { TEMPLATE } from '../global-setup.ts'
import { callHttp } from './http-client.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'
import { run } from './program.ts'
import { tallyOn } from './tally.ts'

describe('traces', () => {
  const chain = connectChain(inject('rpcUrl'))
  let databaseUrl = ''
  let drop: () => Promise<void>

  beforeAll(async () => {
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: databaseUrl, drop } = await cluster.cloneDatabase(TEMPLATE))
  })
  afterAll(() => drop())

  it('are off unless somebody says where they go, and then nothing of them is loaded', async () => {
    expect(isTracingWanted({})).toBe(false)
    expect(isTracingWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBe(false)
    expect(isTracingWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_SDK_DISABLED: 'true' })).toBe(false)
    expect(isTracingWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
    expect(isTracingWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a' })).toBe(true)
    expect(isTracingWanted({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a' })).toBe(true)
    expect(isTracingWanted({ OTEL_TRACES_EXPORTER: 'console' })).toBe(true)
    await (await startTelemetry({}, 'api')).stop()
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    expect(loaded.filter((path) => path.includes('@opentelemetry/sdk-node'))).toEqual([])
  })

  it('follow one request through HTTP, SQL and RPC, and go on from whoever sent it', async () => {
    const receiver = await startOtlpReceiver()
    const settings = { DATABASE_URL: databaseUrl, RPC_URL: chain.url, PORT: '0' }
    const otel = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    }
    const created = await tallyOn(settings).answers('instances', 'create', 'Traced', '--chain', '31337')
    const { apiKey, instanceId } = created
    const api = await run('api', { env: { ...settings, ...otel } })
    const [, url = ''] = await api.prints(/"url":"(http[^"]+)","msg":"serving HTTP"/)
    const args = ['Token TRACE', 'TRACE', 6, chain.accounts[0]?.address]
    const tokenAddress = await deploy(chain, { abi: demoCashAbi, bytecode: demoCashBytecode, args })
    const [traceId, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const answer = await callHttp(url, apiKey, 'POST', '/external-tokens/api/import', {
      body: { tokenAddress, assetType: 'BOND' },
      headers: { traceparent: `00-${traceId}-${parent}-01` },
    })
    expect(answer.status).toBe(200)

    const ofTrace = () => receiver.spans.filter((span) => span.traceId === traceId)
    await expect.poll(() => ofTrace().some(({ kind }) => kind === 2)).toBe(true)
    const [served, ...more] = ofTrace().filter(({ kind }) => kind === 2)
    expect(more).toEqual([])
    expect(served).toMatchObject({
      service: 'tallystick-api',
      name: 'POST /external-tokens/api/import',
      parentSpanId: parent,
      attributes: { 'http.response.status_code': '200', 'tally.instance_id': instanceId },
    })
    const below = ofTrace().filter(({ parentSpanId }) => parentSpanId === served?.spanId)
    const kinds = new Set(below.map(({ name, kind }) => `${kind} ${name.split(' ')[0]}`))
    expect([...kinds].sort()).toEqual(['3 jsonrpc', '3 postgresql'])
    expect(below.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['postgresql read', 'postgresql transaction', expect.stringContaining('eth_call')]),
    )
    // The line of the request says where to look.
    await api.prints(new RegExp(`"route":"/external-tokens/api/import".*"traceId":"${traceId}"`))
    api.signal('SIGTERM')
    expect(await api.ended).toBe(0)
    expect([...receiver.paths]).toEqual(['/v1/traces'])
  })
})
