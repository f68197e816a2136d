import type { Bound, BuildShape } from '@tallystick/sdk'
import { type ReactNode, useState } from 'react'
import { useOwnAddress } from '../api/session.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { amountFault } from './amounts.ts'

export interface FormField {
  readonly key: string
  readonly label: string
  readonly kind: 'address' | 'amount' | 'text'
  readonly unit?: string
  readonly help?: string
  /** May be left empty. */
  readonly optional?: boolean
  readonly start?: string
  /** One of a few, instead of something to type. */
  readonly choices?: readonly { readonly value: string; readonly name: string }[]
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

function faultOf({ kind }: FormField, typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  if (kind === 'amount') return amountFault(typed)
  return kind === 'address' && !ADDRESS.test(typed.trim()) ? t.forms.notAddress : undefined
}

interface Props<S extends BuildShape> {
  readonly method: Bound<S>
  readonly title: string
  readonly fields: readonly FormField[]
  /** What was typed, trimmed; fields that were left empty are not there. */
  readonly request: (typed: Readonly<Record<string, string>>) => S['request']
  readonly about?: ReactNode
  /** What it will cause, shown as soon as everything is typed. */
  readonly preview?: (typed: Readonly<Record<string, string>>) => ReactNode
  readonly danger?: boolean
  readonly onDone?: () => void
}

/** A form of a few lines whose write is reviewed and signed in the drawer. */
export function WriteForm<S extends BuildShape>(props: Props<S>) {
  const { method, title, fields, request, about, preview, danger = false, onDone } = props
  const own = useOwnAddress()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ key, start = '' }) => [key, start])),
  )
  const { start, isBuilding, faults, clear } = useWrite(method, {
    title,
    signer: own,
    ...(onDone ? { onDone } : {}),
  })
  const given = Object.fromEntries(
    Object.entries(typed).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]])),
  )
  const isReady = fields.every(
    (field) =>
      faultOf(field, typed[field.key] ?? '') === undefined &&
      (field.optional === true || given[field.key] !== undefined),
  )
  function take(key: string, value: string): void {
    setTyped({ ...typed, [key]: value })
    clear()
  }
  const known = new Set(fields.map(({ key }) => key))
  const others = Object.entries(faults).filter(([key]) => !known.has(key))
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void start(request(given))
      }}
    >
      {about ? <p className="text-sm text-muted">{about}</p> : null}
      {fields.map((field) =>
        field.choices ? (
          <Choice
            key={field.key}
            label={field.label}
            value={typed[field.key] ?? ''}
            options={field.choices}
            onChange={(value) => take(field.key, value)}
          />
        ) : (
          <Field
            key={field.key}
            label={field.label}
            value={typed[field.key] ?? ''}
            onChange={(value) => take(field.key, value)}
            fault={faults[field.key] ?? faultOf(field, typed[field.key] ?? '')}
            {...(field.kind === 'amount' ? { inputMode: 'decimal' as const } : {})}
            {...(field.kind === 'address' ? { placeholder: '0x…' } : {})}
            {...(field.unit === undefined ? {} : { unit: field.unit })}
            {...(field.help === undefined ? {} : { help: field.help })}
            {...(field.optional === true ? { aside: t.forms.optional } : {})}
          />
        ),
      )}
      {isReady && preview ? preview(given) : null}
      {others.map(([key, message]) => (
        <Notice key={key} tone="bad">
          {message}
        </Notice>
      ))}
      <Button type="submit" look={danger ? 'danger' : 'primary'} className="w-full" disabled={isBuilding || !isReady}>
        {t.forms.review}
      </Button>
    </form>
  )
}
