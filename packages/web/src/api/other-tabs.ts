/** Tabs of one browser share its session: what one of them does to it, the others hear. */
const channel = new BroadcastChannel("agon-session");

export function tellOtherTabs(): void {
  channel.postMessage("changed");
}

export function onOtherTab(listener: () => void): void {
  channel.addEventListener("message", listener);
}
