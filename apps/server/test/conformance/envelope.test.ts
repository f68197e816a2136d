import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestInstance, type World } from '../world.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('what is promised of every answer', () => {
  let world: World
  let instance: TestInstance
  beforeAll(async () => {
    world = await createWorld()
    instance = await world.createInstance()
  })
  afterAll(() => world.close())

  it('a success holds success, data and metadata', async () => {
    const answer = await instance.call('GET', '/external-tokens/api/list')
    expect(answer.body).toEqual({
      success: true,
      data: [],
      metadata: {
        requestId: expect.any(String),
        timestamp: expect.stringMatching(ISO),
        instanceId: instance.instanceId,
      },
    })
  })

  it('a failure holds success, data, error and metadata', async () => {
    const answer = await instance.call('GET', '/external-tokens/api/nothing')
    expect(answer.body).toEqual({
      success: false,
      data: null,
      error: expect.objectContaining({ code: 'INVALID_ADDRESS', message: expect.any(String) }),
      metadata: {
        requestId: expect.any(String),
        timestamp: expect.stringMatching(ISO),
        instanceId: instance.instanceId,
      },
    })
  })

  it('every time of a success is ISO 8601', async () => {
    const { body } = await instance.call('GET', '/access/api/keys')
    const times = body.data.flatMap((key: object) => Object.entries(key).filter(([name]) => /At$/.test(name)))
    const told = times.map(([, time]: [string, string | null]) => time).filter((time: string | null) => time !== null)
    expect(told.length).toBeGreaterThan(0)
    for (const time of told) expect(time).toMatch(ISO)
  })
})
