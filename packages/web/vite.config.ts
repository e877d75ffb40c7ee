import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressAssets } from "./build/compress-assets.ts";
import { copyGuides } from "./build/copy-guides.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), copyGuides(), compressAssets()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // An inlined font or picture would be a data: address, which the pages' policy has no need to allow for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { "/api": "http://127.0.0.1:4600" } },
});
