/** Prints what a command answers: JSON, so that scripts can use it. */
export function print(value: unknown): void {
  const plain = (_name: string, field: unknown) => (typeof field === 'bigint' ? field.toString() : field)
  process.stdout.write(`${JSON.stringify(value, plain, 2)}\n`)
}
