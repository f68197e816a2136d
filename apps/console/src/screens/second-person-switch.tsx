import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getApprovalPolicy, setApprovalPolicy } from '../api/access.ts'
import { useSignedIn } from '../api/session.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Loaded, messageOf } from '../ui/loading.tsx'
import { Panel } from '../ui/panel.tsx'

const text = t.secondPerson

/** Whether what is built in this console waits for somebody else: one admin switches it on, two switch it off. */
export function SecondPersonSwitch() {
  const { scopes, user } = useSignedIn()
  const policy = useQuery({ queryKey: ['approval-policy'], queryFn: getApprovalPolicy })
  const [fault, setFault] = useState<string>()
  const isAdmin = scopes.includes('access:write')
  async function change(secondPerson: boolean) {
    setFault(undefined)
    try {
      await setApprovalPolicy(secondPerson)
    } catch (error) {
      setFault(messageOf(error))
    }
    await policy.refetch()
  }
  return (
    <Loaded query={policy}>
      {({ secondPerson, endAskedBy }) => (
        <Panel
          title={text.title}
          aside={<Badge tone={secondPerson ? 'good' : 'neutral'}>{secondPerson ? text.on : text.off}</Badge>}
        >
          <div className="space-y-3">
            <p className="text-sm text-muted">{text.about}</p>
            {endAskedBy ? (
              <Notice tone="warn">
                {endAskedBy.name} {text.asked}
              </Notice>
            ) : null}
            {fault ? <Notice tone="bad">{fault}</Notice> : null}
            {isAdmin ? (
              <div className="flex flex-wrap gap-2">
                {!secondPerson ? <Button onClick={() => void change(true)}>{text.require}</Button> : null}
                {secondPerson && endAskedBy?.userId !== user?.userId ? (
                  <Button look="danger" onClick={() => void change(false)}>
                    {endAskedBy ? text.agree : text.end}
                  </Button>
                ) : null}
                {endAskedBy ? <Button onClick={() => void change(true)}>{text.keep}</Button> : null}
              </div>
            ) : null}
          </div>
        </Panel>
      )}
    </Loaded>
  )
}
