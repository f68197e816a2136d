import { groups } from './generated/groups.ts'
import type { OperationSpec } from './operation.ts'

const formOf = ({ path, surfaces = [] }: OperationSpec): RegExp =>
  new RegExp(
    `^${path.replace(/\{(\w+)\}/g, (_, name) => (name === 'surface' ? `(?:${surfaces.join('|')})` : '[^/]+'))}$`,
  )

/** Which operation serves a path that the service named. One without parameters comes first: it may have the form of another. */
export function operationAt(method: string, path: string): OperationSpec | undefined {
  return Object.values(groups)
    .flatMap((operations): OperationSpec[] => Object.values(operations))
    .filter((one) => one.method === method && formOf(one).test(path))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
}
