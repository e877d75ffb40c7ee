import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PAGE_SIZE, Pager } from "../../ui/pager.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { ListControls } from "./list-controls.tsx";

/** What a list is narrowed by and which page of it is seen, as far as all lists have it; a page may add its own. */
export interface ListPlace {
  search?: string | undefined;
  state?: string | undefined;
  offset?: number | undefined;
}

/** A place as it stands in the address: what narrows nothing is left out. */
export function toAddress(place: ListPlace): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(place).filter(([, value]) => value !== undefined && value !== "" && value !== 0),
  );
}

type ListPath = "/api/admin/agents" | "/api/admin/accounts" | "/api/admin/prompts";
type Listed<Path extends ListPath> = Answer<Path> extends { items: (infer Item)[] } ? Item : never;

/**
 * A list of the desk with its search, its states, its heads and its pages. Each row is an `li` in the same columns. It
 * asks for the list by itself: a page would do so before the desk knows that it is the operator who looks.
 */
export function SearchedList<Path extends ListPath, Place extends ListPlace>({
  path,
  everyMs,
  label,
  states,
  place,
  onMove,
  what,
  whenNone,
  columns,
  heads,
  rowHeight,
  row,
}: {
  path: Path;
  /** How often it is asked for again; without it, not until something changes. */
  everyMs?: number;
  /** Of the search field. */
  label: string;
  states: readonly string[];
  place: Place;
  onMove: (next: Place) => void;
  /** One of what is listed, as in "No agent is like that". */
  what: string;
  /** Shown when there is nothing, however little the list is narrowed. */
  whenNone: ReactNode;
  /** Their widths, as a class for screens that are wide enough for columns. */
  columns: string;
  /** A `span` for each column. */
  heads: ReactNode;
  rowHeight?: number;
  row: (item: Listed<Path>) => ReactNode;
}) {
  const { offset = 0, ...narrowed } = place;
  const query = api(path, { query: { limit: PAGE_SIZE, ...narrowed, offset: offset || undefined } });
  const { data: answer, error, refetch } = useQuery(everyMs === undefined ? query : live(query, everyMs));
  const data: { total: number; items: Listed<Path>[] } | undefined = answer;
  return (
    <>
      <ListControls
        label={label}
        search={place.search}
        onSearch={(search) => onMove({ ...place, search, offset: undefined })}
        states={states}
        state={place.state}
        onState={(state) => onMove({ ...place, state, offset: undefined })}
      />
      {list()}
    </>
  );

  function list() {
    if (error) return <ProblemNotice error={error} retry={refetch} />;
    if (data === undefined) return <SkeletonRows rows={12} {...(rowHeight && { height: rowHeight })} />;
    if (data.total === 0) {
      return Object.values(narrowed).some((each) => each !== undefined) ? (
        <Empty title={`No ${what} is like that`}>Search for less, or for another state.</Empty>
      ) : (
        whenNone
      );
    }
    return (
      <>
        <div
          aria-hidden="true"
          className={`hidden md:grid ${columns} gap-x-4 text-14 font-semibold text-ink-2 h-9 items-center border-b border-ink`}
        >
          {heads}
        </div>
        <ol className="max-md:border-t border-ink">{data.items.map(row)}</ol>
        <Pager total={data.total} offset={offset} onOffset={(next) => onMove({ ...place, offset: next })} />
      </>
    );
  }
}
