import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { sessionQuery } from "./api/queries.ts";
import { Shell } from "./layout/shell.tsx";
import { boardQuery } from "./pages/ladder/board-query.ts";
import { LadderPage } from "./pages/ladder/ladder-page.tsx";
import { FailedPage, MissingPage } from "./pages/missing-page.tsx";

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;
const whole = (value: unknown): number | undefined => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Shell,
  notFoundComponent: () => <MissingPage />,
  errorComponent: FailedPage,
  loader: ({ context }) => void context.queries.prefetchQuery(sessionQuery),
});

/** Every page; the arena has the same addresses (pages/page-routes.ts there), so that a wrong one is a 404 at once. */
const ladder = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: (search): { category?: string } => {
    const category = text(search.category);
    return category === undefined ? {} : { category };
  },
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queries.prefetchQuery(boardQuery(deps.category ?? "", 0)),
  component: LadderPage,
});
const judge = createRoute({
  getParentRoute: () => root,
  path: "/judge",
  component: lazyRouteComponent(() => import("./pages/judge/judge-page.tsx"), "JudgePage"),
});
const agent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$id",
  validateSearch: (search): { tab?: string; delivery?: number; offset?: number } => ({
    ...(text(search.tab) === undefined ? {} : { tab: text(search.tab) as string }),
    ...(whole(search.delivery) === undefined ? {} : { delivery: whole(search.delivery) as number }),
    ...(whole(search.offset) === undefined ? {} : { offset: whole(search.offset) as number }),
  }),
  component: lazyRouteComponent(() => import("./pages/agent/agent-page.tsx"), "AgentPage"),
});
const ratings = createRoute({
  getParentRoute: () => root,
  path: "/ratings",
  validateSearch: (search): { category?: string; top?: number } => ({
    ...(text(search.category) === undefined ? {} : { category: text(search.category) as string }),
    ...(whole(search.top) === undefined ? {} : { top: Math.min(50, Math.max(2, whole(search.top) as number)) }),
  }),
  component: lazyRouteComponent(() => import("./pages/ratings/ratings-page.tsx"), "RatingsPage"),
});
const connect = createRoute({
  getParentRoute: () => root,
  path: "/connect",
  validateSearch: (search): { agent?: number } => {
    const id = whole(search.agent);
    return id === undefined ? {} : { agent: id };
  },
  component: lazyRouteComponent(() => import("./pages/connect/connect-page.tsx"), "ConnectPage"),
});
const offset = (search: Record<string, unknown>): { offset?: number } => {
  const from = whole(search.offset);
  return from === undefined ? {} : { offset: from };
};
const battles = createRoute({
  getParentRoute: () => root,
  path: "/battles",
  validateSearch: offset,
  component: lazyRouteComponent(() => import("./pages/battles/battles-page.tsx"), "BattlesPage"),
});
const battle = createRoute({
  getParentRoute: () => root,
  path: "/battles/$id",
  component: lazyRouteComponent(() => import("./pages/battles/battle-page.tsx"), "BattlePage"),
});
const prompts = createRoute({
  getParentRoute: () => root,
  path: "/prompts",
  validateSearch: offset,
  component: lazyRouteComponent(() => import("./pages/battles/prompts-page.tsx"), "PromptsPage"),
});
const prompt = createRoute({
  getParentRoute: () => root,
  path: "/prompts/$id",
  component: lazyRouteComponent(() => import("./pages/battles/prompt-page.tsx"), "PromptPage"),
});
const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: offset,
  component: lazyRouteComponent(() => import("./pages/runs/runs-page.tsx"), "RunsPage"),
});
const newRun = createRoute({
  getParentRoute: () => root,
  path: "/runs/new",
  component: lazyRouteComponent(() => import("./pages/runs/new-run-page.tsx"), "NewRunPage"),
});
const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  component: lazyRouteComponent(() => import("./pages/runs/run-page.tsx"), "RunPage"),
});
const connectSigned = createRoute({
  getParentRoute: () => root,
  path: "/connect/signed",
  component: lazyRouteComponent(() => import("./pages/activate/connect-signed-page.tsx"), "ConnectSignedPage"),
});
const activate = createRoute({
  getParentRoute: () => root,
  path: "/agents/$id/activate",
  component: lazyRouteComponent(() => import("./pages/activate/activate-page.tsx"), "ActivatePage"),
});
const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(() => import("./pages/account/account-page.tsx"), "AccountPage"),
});
const guides = createRoute({
  getParentRoute: () => root,
  path: "/docs",
  component: lazyRouteComponent(() => import("./pages/docs/docs-page.tsx"), "DocsPage"),
});
const reference = createRoute({
  getParentRoute: () => root,
  path: "/docs/api",
  component: lazyRouteComponent(() => import("./pages/docs/reference-page.tsx"), "ReferencePage"),
});
const area = createRoute({
  getParentRoute: () => root,
  path: "/docs/api/$area",
  component: lazyRouteComponent(() => import("./pages/docs/reference-page.tsx"), "AreaPage"),
});
const guide = createRoute({
  getParentRoute: () => root,
  path: "/docs/$slug",
  component: lazyRouteComponent(() => import("./pages/docs/docs-page.tsx"), "GuidePage"),
});

const some = (names: readonly string[], search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = text(search[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
const listPlace = (search: Record<string, unknown>): { search?: string; state?: string; offset?: number } => ({
  ...some(["search", "state"], search),
  ...offset(search),
});
const desk = createRoute({
  getParentRoute: () => root,
  path: "/operator",
  validateSearch: (search): { span?: "day" } => (search.span === "day" ? { span: "day" } : {}),
  component: lazyRouteComponent(() => import("./pages/operator/overview-page.tsx"), "OverviewPage"),
});
const deskAgents = createRoute({
  getParentRoute: () => root,
  path: "/operator/agents",
  validateSearch: listPlace,
  component: lazyRouteComponent(() => import("./pages/operator/agents-page.tsx"), "DeskAgentsPage"),
});
const deskAccounts = createRoute({
  getParentRoute: () => root,
  path: "/operator/accounts",
  validateSearch: listPlace,
  component: lazyRouteComponent(() => import("./pages/operator/accounts-page.tsx"), "DeskAccountsPage"),
});
const deskPrompts = createRoute({
  getParentRoute: () => root,
  path: "/operator/prompts",
  validateSearch: (search): ReturnType<typeof listPlace> & { category?: string } => ({
    ...listPlace(search),
    ...some(["category"], search),
  }),
  component: lazyRouteComponent(() => import("./pages/operator/prompts-page.tsx"), "DeskPromptsPage"),
});
const deskImport = createRoute({
  getParentRoute: () => root,
  path: "/operator/prompts/import",
  component: lazyRouteComponent(() => import("./pages/operator/import-page.tsx"), "ImportPage"),
});
const deskPrompt = createRoute({
  getParentRoute: () => root,
  path: "/operator/prompts/$id",
  validateSearch: offset,
  component: lazyRouteComponent(() => import("./pages/operator/prompt-page.tsx"), "DeskPromptPage"),
});
const deskRulings = createRoute({
  getParentRoute: () => root,
  path: "/operator/rulings",
  validateSearch: (search): { about?: string; id?: string; offset?: number } => ({
    ...some(["about", "id"], search),
    ...offset(search),
  }),
  component: lazyRouteComponent(() => import("./pages/operator/rulings-page.tsx"), "RulingsPage"),
});
const deskReports = createRoute({
  getParentRoute: () => root,
  path: "/operator/reports",
  validateSearch: (search): { state?: string; offset?: number } => ({ ...some(["state"], search), ...offset(search) }),
  component: lazyRouteComponent(() => import("./pages/operator/reports-page.tsx"), "ReportsPage"),
});

const tree = root.addChildren([
  desk,
  deskAgents,
  deskAccounts,
  deskPrompts,
  deskImport,
  deskPrompt,
  deskRulings,
  deskReports,
  ladder,
  judge,
  agent,
  ratings,
  connect,
  battles,
  battle,
  prompts,
  prompt,
  runs,
  newRun,
  run,
  connectSigned,
  activate,
  account,
  guides,
  reference,
  area,
  guide,
]);

export function createPages(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: () => <MissingPage />,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}
