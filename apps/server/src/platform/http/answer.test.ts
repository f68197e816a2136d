import { defineOperation, type Operation, transactionErrors, validationErrors } from '@tallystick/wire'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { AppError, fieldError } from '../app-error.ts'
import { ChainDisagreementError } from '../chain/agreement.ts'
import { ChainUnavailableError } from '../chain/rpc.ts'
import { DatabaseUnavailableError } from '../db/database.ts'
import { classify, failureAnswer, legOf, retryAfterSeconds, successAnswer } from './answer.ts'

const common = { feature: 'access', scope: 'access:write', summary: 'test', path: '/x', method: 'POST' } as const
const data = Type.Object({})
const twoLegs: Operation = defineOperation({
  ...common,
  id: 'twoLegs',
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: { data, errors: { ...validationErrors, ALREADY_SETTLED: { status: 409, message: 'build clash' } } },
    confirm: {
      data,
      errors: { ...validationErrors, ...transactionErrors, ALREADY_SETTLED: { status: 400, message: 'confirm clash' } },
    },
  },
})
const ownFault: Operation = defineOperation({
  ...common,
  id: 'ownFault',
  fault: 'OWN_FAULT',
  legs: { read: { data, errors: { OWN_FAULT: { status: 503, retry: true, message: 'own' } } } },
})
const seen = ({ code, leg, spec }: ReturnType<typeof classify>) => ({ code, leg, status: spec.status })
const context = { requestId: 'r', now: new Date('2026-03-01T10:00:00Z'), instanceId: 'i' }

describe('the leg of a request', () => {
  it('is the only one of an operation that has one', () => {
    expect(legOf(ownFault, { txHash: '0x' })).toBe('read')
  })
  it('is confirm when the body carries a txHash and build otherwise', () => {
    expect(legOf(twoLegs, { txHash: null })).toBe('confirm')
    for (const body of [{}, undefined, null, 'txHash', []]) expect(legOf(twoLegs, body)).toBe('build')
  })
})

describe('naming a failure', () => {
  it('takes status and message of one code from the leg it happened on', () => {
    expect(seen(classify(twoLegs, 'build', new AppError('ALREADY_SETTLED')))).toEqual({
      code: 'ALREADY_SETTLED',
      leg: 'build',
      status: 409,
    })
    expect(classify(twoLegs, 'confirm', new AppError('ALREADY_SETTLED')).message).toBe('confirm clash')
    expect(seen(classify(twoLegs, 'confirm', new AppError('ALREADY_SETTLED'))).status).toBe(400)
  })

  it('tells the first broken rule alone where the interface wants no list, and leaves other details as they are', () => {
    const plain = { ...twoLegs, plainValidation: true } as const
    const faults = [
      { field: 'one', message: 'is required' },
      { field: 'two', message: 'is wrong' },
    ]
    const failure = classify(plain, 'build', fieldError('VALIDATION_ERROR', faults))
    expect([failure.message, failure.extra]).toEqual(['one is required', {}])
    expect(classify(twoLegs, 'build', fieldError('VALIDATION_ERROR', faults)).extra).toEqual({ details: faults })
    const clash = new AppError('ALREADY_SETTLED', { extra: { details: { version: 1 } } })
    expect(classify(plain, 'build', clash).extra).toEqual({ details: { version: 1 } })
  })

  it('finds the codes of the door from any leg', () => {
    expect(seen(classify(twoLegs, 'confirm', new AppError('AUTH_FAILED')))).toEqual({
      code: 'AUTH_FAILED',
      leg: 'door',
      status: 401,
    })
  })

  it('passes a more specific sentence and extra fields on', () => {
    const failure = classify(twoLegs, 'build', new AppError('ALREADY_SETTLED', { detail: 'more', extra: { field: 1 } }))
    expect(failure).toMatchObject({ message: 'more', extra: { field: 1 } })
  })

  it('hides a code the operation does not list, and all that came with it, behind its fault', () => {
    const stray = new AppError('NOT_NOMINATED', { detail: 'secret text', extra: { secret: 1 } })
    expect(seen(classify(twoLegs, 'build', stray))).toEqual({ code: 'INTERNAL_ERROR', leg: 'build', status: 500 })
    expect(classify(twoLegs, 'build', stray)).toMatchObject({
      message: expect.not.stringContaining('secret'),
      extra: {},
    })
    expect(seen(classify(ownFault, 'read', stray))).toEqual({ code: 'OWN_FAULT', leg: 'read', status: 503 })
    // CHAIN_UNAVAILABLE belongs to the other leg only.
    expect(seen(classify(twoLegs, 'build', new AppError('TX_NOT_FOUND'))).code).toBe('INTERNAL_ERROR')
  })

  it('never shows the text of an unexpected error', () => {
    for (const error of [new Error('password=x'), 'password=x', null, undefined, { code: 'AUTH_FAILED' }]) {
      const failure = classify(twoLegs, 'build', error)
      expect(failure.code).toBe('INTERNAL_ERROR')
      expect(failure.message).not.toContain('password')
    }
  })

  it('names an unreadable chain as the operation says, else its fault', () => {
    for (const error of [new ChainUnavailableError('x'), new ChainDisagreementError('x')]) {
      expect(seen(classify(twoLegs, 'confirm', error))).toMatchObject({ code: 'CHAIN_UNAVAILABLE', status: 503 })
      expect(seen(classify(ownFault, 'read', error)).code).toBe('OWN_FAULT')
    }
  })

  it('names an unreachable database, unless the operation has a fault of its own', () => {
    const error = new DatabaseUnavailableError('x')
    expect(seen(classify(twoLegs, 'build', error))).toEqual({ code: 'SERVICE_UNAVAILABLE', leg: 'door', status: 503 })
    expect(seen(classify(ownFault, 'read', error))).toEqual({ code: 'OWN_FAULT', leg: 'read', status: 503 })
  })
})

describe('an answer', () => {
  it('carries what the operation answers beside data', () => {
    const beside = { pagination: { total: 1 }, metadata: { source: 'database' } }
    const body = JSON.parse(successAnswer([1], context, beside).body)
    expect(Object.keys(body)).toEqual(['success', 'data', 'pagination', 'metadata'])
    expect(body).toMatchObject({
      data: [1],
      pagination: { total: 1 },
      metadata: { requestId: 'r', source: 'database' },
    })
  })

  it('carries request, time and instance, and the block when there is one', () => {
    const block = { number: 12n, hash: '0xab' as const, time: 99, parentHash: '0x' as const }
    expect(JSON.parse(successAnswer({ a: 1 }, context, { block }).body)).toEqual({
      success: true,
      data: { a: 1 },
      metadata: {
        requestId: 'r',
        timestamp: '2026-03-01T10:00:00.000Z',
        instanceId: 'i',
        blockNumber: '12',
        blockHash: '0xab',
        chainTime: 99,
      },
    })
  })

  it('leaves the instance out when none was resolved', () => {
    const { status, body } = failureAnswer(classify(twoLegs, 'build', new AppError('AUTH_REQUIRED')), {
      ...context,
      instanceId: undefined,
    })
    expect(status).toBe(401)
    expect(JSON.parse(body)).toEqual({
      success: false,
      data: null,
      error: { code: 'AUTH_REQUIRED', message: expect.any(String) },
      metadata: { requestId: 'r', timestamp: '2026-03-01T10:00:00.000Z' },
    })
  })

  it('says when to try again exactly where trying again can help', () => {
    expect(retryAfterSeconds(classify(twoLegs, 'confirm', new AppError('TX_NOT_FOUND')))).toBe(1)
    expect(retryAfterSeconds(classify(twoLegs, 'confirm', new AppError('TX_REVERTED')))).toBeUndefined()
    const limited = new AppError('RATE_LIMIT_EXCEEDED', { extra: { retryAfterSeconds: 42 } })
    expect(retryAfterSeconds(classify(twoLegs, 'build', limited))).toBe(42)
  })
})
