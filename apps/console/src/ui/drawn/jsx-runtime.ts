import type { ElementType, Key, ReactElement } from 'react'
import { jsx as element, jsxs as elements } from 'react/jsx-runtime'
import { withoutTurning } from '../../lib/format.ts'

export { Fragment, type JSX } from 'react/jsx-runtime'

type Props = Readonly<Record<string, unknown>>

/** Attributes that browsers and screen readers show. */
const SHOWN = ['title', 'aria-label', 'alt', 'placeholder'] as const
/** Those that a component only hands on; its other props are data, which stays as it is. */
const HANDED_ON = ['aria-label'] as const

/** What is inside of an element; functions and other elements are drawn by themselves. */
function inside(children: unknown): unknown {
  if (typeof children === 'string') return withoutTurning(children)
  if (!Array.isArray(children)) return children
  const safe = children.map(inside)
  return safe.some((one, at) => one !== children[at]) ? safe : children
}

function drawn(type: ElementType, props: Props): Props {
  const changed: Record<string, unknown> = {}
  if ('children' in props) {
    const children = inside(props.children)
    if (children !== props.children) changed.children = children
  }
  for (const name of typeof type === 'string' ? SHOWN : HANDED_ON) {
    const text = props[name]
    if (typeof text === 'string' && withoutTurning(text) !== text) changed[name] = withoutTurning(text)
  }
  return Object.keys(changed).length === 0 ? props : { ...props, ...changed }
}

/**
 * How every `<tag>` of the console is made. Names are whatever somebody chose; here they lose what would turn the writing beside them, where they are
 * drawn and nowhere else: what is signed, sent, copied or saved is what the service said.
 */
export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement => element(type, drawn(type, props), key)
export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement =>
  elements(type, drawn(type, props), key)
