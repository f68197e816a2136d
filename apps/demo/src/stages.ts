/** Tells whoever waits what is going on. */
export interface Stages {
  /** Something is being done; shown only while it lasts, and only where a line can be taken back. */
  doing(name: string): void
  /** Something is done. */
  done(name: string, detail: string): void
  /** Nothing more will be told: the line that says what is being done goes. */
  end(): void
}

interface StagesParts {
  write(text: string): void
  /** Seconds since the start. */
  seconds(): number
  readonly isTerminal: boolean
}

const NAME_WIDTH = 10
/** Back to the beginning of the line, and away with what is on it. */
const TAKE_BACK = '\r\u001b[K'

/** One line per stage, as it ends. A start that fails at once prints none: its one line says why. */
export function createStages({ write, seconds, isTerminal }: StagesParts): Stages {
  const takeBack = isTerminal ? TAKE_BACK : ''
  const time = () => `${seconds().toFixed(1).padStart(6)} s`
  const under = new Set<string>()
  const show = () => {
    if (isTerminal && under.size > 0) write(`${takeBack}${time()}  ${[...under].join(', ')} …`)
  }
  return {
    doing(name) {
      under.add(name)
      show()
    },
    done(name, detail) {
      under.delete(name)
      write(`${takeBack}${time()}  ${name.padEnd(NAME_WIDTH)}  ${detail}\n`)
      show()
    },
    end() {
      if (under.size > 0) write(takeBack)
      under.clear()
    },
  }
}
