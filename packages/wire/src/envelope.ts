import { type TObject, type TSchema, Type } from 'typebox'
import { Instant } from './primitives.ts'

export const Metadata = Type.Object(
  {
    requestId: Type.String(),
    timestamp: Instant,
    instanceId: Type.Optional(Type.String({ description: 'Absent when no instance was resolved.' })),
    blockNumber: Type.Optional(
      Type.String({ description: 'The one block every chain read of this answer was made at.' }),
    ),
    blockHash: Type.Optional(Type.String()),
    chainTime: Type.Optional(Type.Integer({ description: 'Unix seconds of that block: the second that ruled.' })),
  },
  { additionalProperties: false },
)

/** What some operations answer beside the usual. */
interface Beside {
  readonly pagination?: TObject
  readonly metadata?: TObject
}

export function Success<T extends TSchema>(data: T, { pagination, metadata }: Beside = {}) {
  return Type.Object(
    {
      success: Type.Literal(true),
      data,
      ...(pagination ? { pagination } : {}),
      metadata: metadata
        ? Type.Object({ ...Metadata.properties, ...metadata.properties }, { additionalProperties: false })
        : Metadata,
    },
    { additionalProperties: false },
  )
}

export function Failure(error: TSchema) {
  return Type.Object(
    { success: Type.Literal(false), data: Type.Null(), error, metadata: Metadata },
    { additionalProperties: false },
  )
}

/** A batch as the Safe Transaction Builder opens it. */
export const SafeFile = Type.Object(
  {
    version: Type.Literal('1.0'),
    chainId: Type.String(),
    createdAt: Type.Integer(),
    meta: Type.Object({ name: Type.String(), description: Type.String(), txBuilderVersion: Type.String() }),
    transactions: Type.Array(
      Type.Object({
        to: Type.String(),
        value: Type.String(),
        data: Type.String(),
        contractMethod: Type.Null(),
        contractInputsValues: Type.Null(),
      }),
    ),
  },
  { additionalProperties: false },
)
