import { describe, expect, it } from 'vitest'
import { splitEvents } from './read-events.ts'

describe('reading server-sent events', () => {
  it('takes what is whole and keeps the beginning of the next', () => {
    const { data, rest } = splitEvents('event: a\nid: 1\ndata: {"x":1}\n\n: comment\n\ndata: {"y"')
    expect(data).toEqual(['{"x":1}'])
    expect(splitEvents(`${rest}:2}\r\n\r\n`)).toEqual({ data: ['{"y":2}'], rest: '' })
  })

  it('joins the lines of one event', () => {
    expect(splitEvents('data: [1,\ndata:2]\n\n').data).toEqual(['[1,\n2]'])
  })
})
