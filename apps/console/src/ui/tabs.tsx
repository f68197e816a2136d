import { Content, List, Root, Trigger } from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'

export interface Tab {
  readonly key: string
  readonly name: string
  readonly content: ReactNode
}

export function Tabs({
  tabs,
  value,
  onChange,
  label,
}: {
  tabs: readonly Tab[]
  value: string
  onChange: (key: string) => void
  label: string
}) {
  return (
    <Root value={value} onValueChange={onChange}>
      <List aria-label={label} className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ key, name }) => (
          <Trigger
            key={key}
            value={key}
            className="-mb-px h-9 border-b-2 border-transparent px-3 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {name}
          </Trigger>
        ))}
      </List>
      {tabs.map(({ key, content }) => (
        <Content key={key} value={key} className="outline-none">
          {content}
        </Content>
      ))}
    </Root>
  )
}
