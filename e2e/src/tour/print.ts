import type { Observer } from '../demo/observer.ts'
import { functionName } from './function-names.ts'
import { paint } from './paint.ts'

const LONGEST_BODY = 100

type Print = (line: string) => void

/** A long value tells nobody anything. */
export function short(text: string): string {
  return text.replaceAll(/(0x[0-9a-fA-F]{6})[0-9a-fA-F]{8,}([0-9a-fA-F]{4})/g, '$1…$2')
}

function shortBody(body: unknown): string {
  if (body === undefined) return ''
  const text = short(JSON.stringify(body))
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text
}

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
export const shortPath = (path: string) => short(path).replaceAll(ids, (id) => `${id.slice(0, 4)}…${id.slice(-4)}`)

/** Shows what a journey does while it does it. Nothing is shown before its first step: that is only preparation. */
export function createPrinter(print: Print): Observer {
  let steps = 0
  const show: Print = (line) => steps > 0 && print(line)
  return {
    step(title) {
      steps += 1
      print(`\n  ${paint('bold', `${steps}. ${title}`)}`)
    },
    request(method, path, body, status) {
      const color = status < 400 ? 'cyan' : 'yellow'
      show(`     ${paint(color, method.padEnd(5))} ${shortPath(path)} ${paint('dim', shortBody(body))}`)
    },
    signed(wallet, what) {
      const signed =
        'typedData' in what
          ? `${what.typedData} (EIP-712)`
          : `${functionName(what.data)} → ${short(what.to ?? 'a new contract')}`
      show(`     ${paint('magenta', 'sign ')} ${signed} ${paint('dim', `as ${wallet}`)}`)
    },
    show(what, value) {
      show(`     ${paint('green', '✓')}     ${what}: ${short(String(value))}`)
    },
  }
}
