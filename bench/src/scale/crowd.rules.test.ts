import { describe, expect, it } from 'vitest'
import { createCrowd } from './crowd.rules.ts'

const update = (sequence: number) =>
  `event: update\ndata: {"type":"update","firstSequence":"1","lastSequence":"${sequence}","bids":[]}`

describe('a crowd of listeners', () => {
  it('has heard of a commit when everybody has, whatever comes between', () => {
    const all: number[] = []
    const crowd = createCrowd((sequence) => all.push(sequence))
    crowd.grow(2)
    crowd.grow(1)
    crowd.hear('event: snapshot\ndata: {"type":"snapshot","sequence":"7"}')
    crowd.hear(update(7))
    crowd.hear(update(8))
    crowd.hear(update(7))
    crowd.hear('event: heartbeat\ndata: {"type":"heartbeat","at":"7"}')
    expect(all).toEqual([])
    crowd.hear(`\r\n1a3\r\n${update(7)}`)
    expect(all).toEqual([7])
    for (const _ of [1, 2]) crowd.hear(update(8))
    expect(all).toEqual([7, 8])
  })
})
