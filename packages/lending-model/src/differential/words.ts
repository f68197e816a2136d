import type { AbiParameter, Hex } from 'viem'

/** 64 hexadecimal digits. */
export function word(value: bigint | string): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/, '')
  return digits.padStart(64, '0')
}

const digitsPerWord = 64

function at(data: string, position: number): string {
  return data.slice(position * digitsPerWord, (position + 1) * digitsPerWord)
}

/** For `aggregate3`: every call has to succeed or fail on its own. */
export function encodeCalls(calls: { target: string; data: string }[]): string {
  const bodies = calls.map(({ target, data }) => {
    const digits = data.replace(/^0x/, '')
    const padded = digits.padEnd(Math.ceil(digits.length / digitsPerWord) * digitsPerWord, '0')
    return [word(target), word(1n), word(96n), word(BigInt(digits.length / 2)), padded].join('')
  })
  let offset = BigInt(calls.length * 32)
  const offsets = bodies.map((body) => {
    const own = offset
    offset += BigInt(body.length / 2)
    return word(own)
  })
  return [word(32n), word(BigInt(calls.length)), ...offsets, ...bodies].join('')
}

/** What `aggregate3` answers; `undefined` for a call that failed. */
export function decodeAnswers(answer: Hex): (string | undefined)[] {
  const list = answer.slice(2 + digitsPerWord)
  const count = Number(`0x${at(list, 0)}`)
  const tails = list.slice(digitsPerWord)
  return Array.from({ length: count }, (_, position) => {
    const start = Number(`0x${at(tails, position)}`) * 2
    const body = tails.slice(start, start + 3 * digitsPerWord)
    const bytes = Number(`0x${at(body, 2)}`)
    if (BigInt(`0x${at(body, 0)}`) !== 1n) return undefined
    return tails.slice(start + 3 * digitsPerWord, start + 3 * digitsPerWord + bytes * 2)
  })
}

/** A struct of plain words, or one plain word under the name `value`, each as its number. */
export function decodeWords(outputs: readonly AbiParameter[], data: string): Record<string, bigint> {
  const [output] = outputs
  const components = output && 'components' in output ? output.components : undefined
  const names = components ? components.map(({ name }) => name ?? '') : ['value']
  return Object.fromEntries(names.map((name, position) => [name, BigInt(`0x${at(data, position) || '0'}`)]))
}
