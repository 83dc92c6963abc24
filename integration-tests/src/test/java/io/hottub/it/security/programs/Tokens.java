// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** The credentials that YARN has given to this container: whose ApplicationMaster's they are. */
public final class Tokens {
  private Tokens() {}

  public static void main(String[] args) throws IOException {
    UserGroupInformation login = UserGroupInformation.getLoginUser();
    System.out.println(
        "security=" + UserGroupInformation.isSecurityEnabled() + " user=" + System.getenv("USER"));
    for (Token<?> token : login.getCredentials().getAllTokens()) {
      if (token.getKind().equals(AMRMTokenIdentifier.KIND_NAME)) {
        AMRMTokenIdentifier identifier = (AMRMTokenIdentifier) token.decodeIdentifier();
        System.out.println(identifier.getApplicationAttemptId().getApplicationId());
      }
    }
  }
}
