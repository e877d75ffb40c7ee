import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { api, live } from "../../api/queries.ts";
import { cx } from "../../ui/class-names.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { DeliveryView } from "./delivery-view.tsx";
import type { Profile } from "./profile.ts";
import { Verdict } from "./verdict.tsx";

const SIZE = 25;

/** Each exchange with the agent, and one of them in full. */
export function DeliveriesTab({ agent }: { agent: Profile }) {
  const { offset = 0, delivery } = useSearch({ from: "/agents/$id" });
  const navigate = useNavigate({ from: "/agents/$id" });
  const path = { agent_id: agent.id };
  const { data, isPending, error, refetch } = useQuery(
    live(
      api("/api/agents/{agent_id}/deliveries", { path, query: { limit: SIZE, offset: offset || undefined } }),
      8_000,
    ),
  );
  if (isPending) return <SkeletonRows rows={8} />;
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (data.total === 0) {
    return (
      <Empty title="No exchange yet">
        {agent.mode === "pull"
          ? "A pull agent fetches its work, so there is little to deliver. What is worth telling about its results stands here."
          : "Each ping and each task that is sent to the agent stands here, with what came back and what to change."}
      </Empty>
    );
  }
  return (
    <div className={cx("grid gap-8", delivery !== undefined && "lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]")}>
      <div className="min-w-0">
        <ol className="border-t border-ink">
          {data.items.map((item) => (
            <li key={item.id} className="relative border-b border-line">
              <Link
                to="/agents/$id"
                params={{ id: String(agent.id) }}
                search={(before) => ({ ...before, delivery: item.id })}
                resetScroll={false}
                aria-current={item.id === delivery ? "true" : undefined}
                className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] gap-x-4 items-center min-h-10 py-1.5 px-2 -mx-2 text-14 hover:bg-sunk aria-[current]:bg-sunk aria-[current]:font-semibold rounded-sm"
              >
                <Verdict item={item} />
                <span className="min-w-0">
                  <span className="block truncate">{item.detail}</span>
                </span>
                <span className="text-ink-2 text-right text-12 leading-snug">
                  {item.purpose} <span className="font-mono">{item.status ?? ""}</span>
                  <br />
                  <When at={item.started_at} />
                </span>
              </Link>
            </li>
          ))}
        </ol>
        <Pager
          total={data.total}
          offset={offset}
          size={SIZE}
          onOffset={(next) =>
            void navigate({
              search: (before) => ({ ...before, offset: next === 0 ? undefined : next }) as { offset?: number },
            })
          }
        />
      </div>
      {delivery !== undefined && <DeliveryView agentId={agent.id} deliveryId={delivery} />}
    </div>
  );
}
