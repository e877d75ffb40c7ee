// Before anything is painted, so that a dark page never flashes white. A file of its own: the policy allows no inline script.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem("agon-theme");
    } catch {
      // No storage, no choice.
    }
    const dark = chosen === "dark" || (chosen !== "light" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  };
  follow();
  // A system that turns dark in the evening takes the page with it, and a choice made in one tab goes for all of them.
  system.addEventListener("change", follow);
  addEventListener("storage", follow);
})();
