import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('measures the process once, however many apps run in it', async () => {
  const [first, second] = [createMetrics(), createMetrics()]
  const ofProcess = (await first.registry.getMetricsAsJSON())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('tally_'))
  expect(ofProcess).toEqual(expect.arrayContaining(['nodejs_eventloop_lag_seconds', 'nodejs_gc_duration_seconds']))
  for (const name of ofProcess) expect(first.registry.getSingleMetric(name)).toBe(second.registry.getSingleMetric(name))
})

it('keeps what an app counts apart from what another one does', async () => {
  const [first, second] = [createMetrics(), createMetrics()]
  first.requests.observe({ method: 'GET', route: '/v1/stocks', status: '200' }, 0.01)
  expect(await first.registry.metrics()).toContain('tally_http_request_seconds_count{method="GET",route="/v1/stocks"')
  expect(await second.registry.metrics()).not.toContain('route="/v1/stocks"')
})
