import { traceWith } from './trace.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Telemetry {
  /** Sends what is left. */
  stop(): Promise<void>
}

/** By the standard variables of OpenTelemetry: somebody must have said where traces go. */
export function isTracingWanted(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER?.trim() === 'none')
    return false
  return [env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, env.OTEL_TRACES_EXPORTER].some(
    (given) => given !== undefined && given.trim() !== '',
  )
}

/** Call it before anything is wired. The libraries are large, and loaded only here. */
export async function startTelemetry(env: Environment, process: string): Promise<Telemetry> {
  if (!isTracingWanted(env)) return { stop: async () => {} }
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  const { tracer, stop } = startOpenTelemetry(`tallystick-${process}`, env)
  traceWith(tracer)
  return {
    async stop() {
      traceWith(undefined)
      await stop()
    },
  }
}
