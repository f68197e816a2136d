import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyLeg, everyOperation, plausibleRequest } from './door-requests.ts'
import { createWorld, type TestInstance, type World } from './world.ts'

const extended = (path: string, more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`

describe('the query of every operation', () => {
  let world: World
  let instance: TestInstance
  beforeAll(async () => {
    world = await createWorld()
    instance = await world.createInstance()
  })
  afterAll(() => world.close())

  it.each(everyOperation)('%s refuses a name it does not know, and says which', async (_id, operation) => {
    for (const name of ['surprise', 'txHash', '__proto__', 'price']) {
      if (name in (operation.query?.properties ?? {})) continue
      for (const [leg, { method, path, body, headers }] of everyLeg(operation)) {
        const answer = await instance.call(method, extended(path, `${name}=1`), { body, headers })
        expect([leg, name, answer.status, answer.body.error.code]).toEqual([leg, name, 400, 'VALIDATION_ERROR'])
        expect(answer.body.error.message).toContain(`${name} is not a query parameter of this route`)
      }
    }
  })

  const withQuery = everyOperation.filter(([, { query }]) => query)
  it.each(withQuery)('%s takes each parameter once', async (_id, operation) => {
    const { method, path, body, headers } = plausibleRequest(operation)
    const [plain] = path.split('?')
    for (const name of Object.keys(operation.query?.properties ?? {})) {
      for (const query of [`${name}=1&${name}=2`, `${name}=&${name}=`, `${name}&${name}=1&${name}=1`]) {
        const answer = await instance.call(method, `${plain}?${query}`, { body, headers })
        const own = operation.fieldCodes?.[name] ?? 'VALIDATION_ERROR'
        expect([query, answer.status, answer.body.error.code]).toEqual([query, 400, own])
        expect(answer.body.error.message).toContain(`${name} is given more than once`)
      }
    }
  })

  it.each(withQuery)('%s refuses a NUL in a parameter', async (_id, operation) => {
    const { method, path, body, headers } = plausibleRequest(operation)
    const [plain] = path.split('?')
    for (const name of Object.keys(operation.query?.properties ?? {})) {
      const answer = await instance.call(method, `${plain}?${name}=a%00b`, { body, headers })
      const own = operation.fieldCodes?.[name] ?? 'VALIDATION_ERROR'
      expect([name, answer.status, answer.body.error.code]).toEqual([name, 400, own])
    }
  })

  const withPath = everyOperation.filter(([, { params }]) => params)
  it.each(withPath)('%s refuses a NUL in its path', async (_id, operation) => {
    const name = /\{(\w+)\}/.exec(operation.path)?.[1] ?? ''
    for (const [leg, { method, path, body, headers }] of everyLeg(operation, { [name]: 'a%00b' })) {
      const answer = await instance.call(method, path, { body, headers })
      const own = operation.fieldCodes?.[name] ?? 'VALIDATION_ERROR'
      expect([leg, answer.status, answer.body.error.code]).toEqual([leg, 400, own])
    }
  })
})
