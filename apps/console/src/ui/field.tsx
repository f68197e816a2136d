import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly unit?: ReactNode
  readonly help?: ReactNode
  readonly fault?: string | undefined
  readonly aside?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** A line to type in, with what the service says about it right below. */
export function Field({ label, value, onChange, unit, help, fault, aside, className = '', ...rest }: Props) {
  const id = useId()
  const said = fault ?? help
  return (
    <div className={className}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <span className="text-xs text-muted">{aside}</span>
      </div>
      <div
        className={`mt-1 flex h-10 items-center rounded-md border bg-panel focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent ${fault ? 'border-bad' : 'border-strong'}`}
      >
        <input
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={fault ? true : undefined}
          aria-describedby={said === undefined ? undefined : `${id}-said`}
          autoComplete="off"
          spellCheck={false}
          className="num h-full min-w-0 flex-1 bg-transparent px-3 text-base outline-none"
          {...rest}
        />
        {unit === undefined ? null : <span className="pr-3 text-sm text-muted">{unit}</span>}
      </div>
      {said === undefined ? null : (
        <p
          id={`${id}-said`}
          role={fault ? 'alert' : undefined}
          className={`mt-1 text-xs ${fault ? 'text-bad' : 'text-muted'}`}
        >
          {said}
        </p>
      )}
    </div>
  )
}
