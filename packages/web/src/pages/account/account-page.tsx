import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/queries.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { SignIn } from "./sign-in.tsx";
import { SignOut } from "./sign-out.tsx";
import { SignedIn } from "./signed-in.tsx";

/** Who you are here. */
export function AccountPage() {
  useTitle("Account");
  const { data, error, refetch } = useQuery(sessionQuery);
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      {error && (
        <div className="pt-10">
          <ProblemNotice error={error} retry={refetch} />
        </div>
      )}
      {!error && data === undefined && (
        <div className="py-10">
          <SkeletonText lines={6} />
        </div>
      )}
      {data?.account === null && (
        <>
          <PageHead title="Sign in">
            There are no passwords here: the key that you got when you registered is your account.
          </PageHead>
          {data.operator && (
            <div className="mb-8">
              <Notice
                word="Operator"
                action={
                  <span className="flex gap-2">
                    <ButtonLink to="/operator" small>
                      To the desk
                    </ButtonLink>
                    <SignOut />
                  </span>
                }
              >
                This browser has the operator's session. An account of your own is beside it: agents and votes need one.
              </Notice>
            </div>
          )}
          <SignIn />
        </>
      )}
      {data?.account && <SignedIn keyId={data.key_id} />}
    </div>
  );
}
