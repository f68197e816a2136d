import type { Answered } from './method.ts'

/** The answer of the service without its envelope. */
export async function envelopeOf(response: Response): Promise<Answered<unknown>> {
  const { data, metadata, pagination } = (await response.json()) as Record<string, unknown>
  const isReplay = response.headers.get('idempotent-replay') === 'true'
  const beside = pagination === undefined ? {} : { pagination }
  return { data, metadata: metadata as Answered<unknown>['metadata'], isReplay, ...beside }
}
