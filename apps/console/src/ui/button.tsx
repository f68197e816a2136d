import type { ButtonHTMLAttributes } from 'react'

const LOOKS = {
  primary: 'bg-accent text-on-accent border-transparent hover:brightness-110 shadow-xs',
  plain: 'bg-panel text-ink border-line hover:bg-raised shadow-xs',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-raised hover:text-ink',
  danger: 'bg-panel text-bad border-line hover:bg-bad-soft shadow-xs',
} as const

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof LOOKS
  readonly small?: boolean
}

export function Button({ look = 'plain', small = false, className = '', ...rest }: ButtonProps) {
  const size = small ? 'h-7 px-2 text-xs' : 'h-9 px-3 text-sm'
  return (
    <button
      type="button"
      className={`inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50 ${size} ${LOOKS[look]} ${className}`}
      {...rest}
    />
  )
}
