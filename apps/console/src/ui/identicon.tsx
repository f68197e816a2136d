import { memo } from 'react'

/** Four by four cells, mirrored: the same address always looks the same, and a look-alike address does not. */
function cellsOf(seed: string): { on: boolean[]; hue: number } {
  const digits = seed.toLowerCase().replace(/^0x/, '')
  // Every character counts: addresses that agree at both ends are how people are cheated.
  let state = 0x811c9dc5
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  for (const character of digits) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193)
  if (state === 0) state = 1
  const hue = next() % 360
  return { on: Array.from({ length: 10 }, () => next() % 2 === 0), hue }
}

export const Identicon = memo(function Identicon({ seed }: { seed: string }) {
  const { on, hue } = cellsOf(seed)
  return (
    <svg viewBox="0 0 5 5" aria-hidden="true" className="size-4 shrink-0 rounded-[3px]" shapeRendering="crispEdges">
      <rect width="5" height="5" fill={`hsl(${hue} 35% 88%)`} />
      {on.map((isOn, at) => {
        if (!isOn) return null
        const [row, column] = [at % 5, Math.floor(at / 5)]
        const fill = `hsl(${hue} 45% 40%)`
        const key = `${row}-${column}`
        return (
          <g key={key} fill={fill}>
            <rect x={column} y={row} width="1" height="1" />
            <rect x={4 - column} y={row} width="1" height="1" />
          </g>
        )
      })}
    </svg>
  )
})
