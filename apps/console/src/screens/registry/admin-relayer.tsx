import { useQuery } from '@tanstack/react-query'
import { useAct } from '../../api/act.ts'
import { isCode, tally } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { Badge, Notice } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Address, Amount, When } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel } from '../../ui/panel.tsx'

const text = t.relayer
const { access } = tally

export function Relayer() {
  const relayer = useQuery({
    queryKey: ['relayer'],
    // Most instances have none: that is no fault.
    queryFn: async () => {
      try {
        return (await access.getRelayer({})).data
      } catch (error) {
        if (isCode(error, 'RELAYER_NOT_CONFIGURED', 'RELAYER_NOT_FOUND')) return null
        throw error
      }
    },
  })
  const { act, fault, isBusy } = useAct('relayer')
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
      <Loaded query={relayer} rows={5}>
        {(data) =>
          data === null ? (
            <Panel>
              <Empty title={text.none}>{text.noneAbout}</Empty>
            </Panel>
          ) : (
            <Panel
              title={text.title}
              aside={
                <Button
                  small
                  look={data.frozen ? 'plain' : 'danger'}
                  disabled={isBusy}
                  onClick={() => void act(() => (data.frozen ? access.unfreezeRelayer({}) : access.freezeRelayer({})))}
                >
                  {data.frozen ? text.unfreeze : text.freeze}
                </Button>
              }
            >
              <Facts>
                <Fact name={text.state}>
                  <Badge tone={data.frozen ? 'bad' : 'good'}>{data.frozen ? text.frozen : text.works}</Badge>
                </Fact>
                <Fact name={text.account}>
                  <Address value={data.address} />
                </Fact>
                <Fact name={text.balance}>
                  <Amount value={data.balance} digits={6} />
                </Fact>
                <Fact name={text.today}>
                  <span className="num">
                    {data.usedToday} / {data.dailyTxLimit}
                  </span>
                </Fact>
                <Fact name={text.resets}>
                  <When at={data.resetsAt} as="distance" />
                </Fact>
                <Fact name={text.pending}>
                  <span className="num">{data.pending}</span>
                </Fact>
              </Facts>
            </Panel>
          )
        }
      </Loaded>
    </>
  )
}
