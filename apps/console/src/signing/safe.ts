import { saveFile } from '../lib/csv.ts'
import type { Job } from './job.ts'

/** As the Safe Transaction Builder opens it. Made from what was built: asking again would leave a second build behind. */
export function saveSafeFile({ title, calls }: Job): void {
  const [first] = calls
  const file = {
    version: '1.0',
    chainId: String(first?.chainId ?? ''),
    createdAt: Date.now(),
    meta: {
      name: title,
      description: calls.map(({ description }) => description ?? '').join(' '),
      txBuilderVersion: '1.17.1',
    },
    transactions: calls.map(({ to, data }) => ({
      to,
      value: '0',
      data,
      contractMethod: null,
      contractInputsValues: null,
    })),
  }
  saveFile(
    `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.safe.json`,
    JSON.stringify(file, null, 2),
    'application/json',
  )
}
