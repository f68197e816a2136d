import type { OperationSpec, RequestShape } from './operation.ts'

/** The path of an operation with everything filled in, query included. */
export function pathOf(
  operation: OperationSpec,
  { surface, params = {}, query = {} }: RequestShape,
  preferred?: string,
): string {
  const surfaces = operation.surfaces ?? []
  if (surface !== undefined && !surfaces.includes(surface))
    throw new TypeError(`${operation.id} is not served at ${surface}, but at: ${surfaces.join(', ')}`)
  const prefix = surface ?? surfaces.find((one) => one === preferred) ?? surfaces[0]
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'surface' && prefix !== undefined) return prefix
    const value: unknown = (params as Record<string, unknown>)[name]
    if (value === undefined || value === '') throw new TypeError(`${operation.id} needs the parameter ${name}`)
    return encodeURIComponent(String(value))
  })
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  if (asked.length === 0) return path
  return `${path}?${new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)]))}`
}
