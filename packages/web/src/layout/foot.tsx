import { Link } from "@tanstack/react-router";

export function Foot() {
  return (
    <footer className="border-t border-line mt-16">
      <div className="gutter mx-auto max-w-[84rem] py-6 flex flex-wrap gap-x-6 gap-y-2 text-14 text-ink-3">
        <span className="mr-auto">Every rating is computed from a public log of votes.</span>
        <a href="/api/votes/export" className="link">
          Votes
        </a>
        <Link to="/prompts" className="link">
          Closed prompts
        </Link>
        <Link to="/docs/api" className="link">
          API
        </Link>
        <a href="/llms.txt" className="link">
          For language models
        </a>
      </div>
    </footer>
  );
}
