import { codesOf, defineOperation, operations } from '@tallystick/wire'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { featuresOf, referenceOf } from './reference.ts'

describe('the reference', () => {
  const page = featuresOf(operations)
    .map((feature) => referenceOf(feature, operations))
    .join('')
  const sections = new Map(
    page
      .split('<section ')
      .slice(1)
      .map((section) => [/^id="(\w+)"/.exec(section)?.[1], section]),
  )

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'shows %s with its route, scope, link and every code with its status',
    (id, operation) => {
      const section = sections.get(id) ?? ''
      expect(section).toContain(`<b>${operation.method}</b> <code>${operation.path}</code>`)
      expect(section).toContain(`scope ${operation.scope}`)
      expect(page).toContain(`<a href="#${id}">`)
      for (const { leg, code, table } of codesOf(operation))
        expect(section).toContain(`<code>${code}</code></td><td>${table[code]?.status}</td><td>${leg}</td>`)
      for (const name of Object.keys(operation.body?.properties ?? {}))
        expect(section).toContain(`<code>${name}</code>`)
    },
  )

  it('has one section per operation and works without scripts or other hosts', () => {
    expect([...sections.keys()].sort()).toEqual(operations.map(({ id }) => id).sort())
    expect(/<script|src=|href="https?:/.test(page)).toBe(false)
  })

  it('escapes everything that comes from declarations', () => {
    const nasty = `<img src=x onerror="alert('1')">&`
    const operation = defineOperation({
      id: 'nasty',
      feature: 'access',
      method: 'POST',
      path: '/x<b>',
      scope: 'access:write',
      summary: nasty,
      description: `${nasty} and \`<code>\``,
      body: Type.Object({
        [nasty]: Type.String({ description: nasty }),
        choice: Type.Enum([nasty]),
        fixed: Type.Literal(nasty),
      }),
      legs: {
        write: { data: Type.Object({ [nasty]: Type.String() }), errors: { BAD: { status: 400, message: nasty } } },
      },
    })
    const own = referenceOf('access', [operation])
    expect(own).not.toContain('<img')
    expect(own).not.toContain(nasty)
    expect(own).toContain('/x&#60;b&#62;')
    expect(own).toContain('<code>&#60;code&#62;</code>')
  })

  it('tells optional fields from required ones, and shows fields inside fields', () => {
    const operation = defineOperation({
      id: 'fields',
      feature: 'access',
      method: 'GET',
      path: '/x',
      scope: 'access:read',
      summary: 's',
      legs: {
        read: {
          data: Type.Array(
            Type.Object({ outer: Type.Object({ inner: Type.Integer() }), extra: Type.Optional(Type.String()) }),
          ),
          errors: {},
        },
      },
    })
    const own = referenceOf('access', [operation])
    expect(own).toContain('<code>outer</code></td>')
    expect(own).toContain('<code>outer.inner</code></td><td>integer</td>')
    expect(own).toContain('<code>extra</code> <i>optional</i></td>')
  })
})
