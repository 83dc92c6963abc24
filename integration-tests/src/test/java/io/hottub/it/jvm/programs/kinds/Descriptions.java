// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package kinds;

import static java.lang.constant.ConstantDescs.BSM_VARHANDLE_ARRAY;
import static java.lang.constant.ConstantDescs.BSM_VARHANDLE_FIELD;
import static java.lang.constant.ConstantDescs.BSM_VARHANDLE_STATIC_FIELD;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.invoke.VarHandle.VarHandleDesc;

/**
 * Descriptions of constants: classes of java.lang.invoke, which a JVM keeps, that lead to those of
 * java.lang.constant, which belong to a run and are told apart by identity.
 */
public class Descriptions extends Kind {
  private static final ClassDesc HOLDER = ClassDesc.of("kinds.Descriptions");

  private static VarHandleDesc[] all() {
    return new VarHandleDesc[] {
      VarHandleDesc.ofField(HOLDER, "field", CD_int),
      VarHandleDesc.ofStaticField(HOLDER, "field", CD_int),
      VarHandleDesc.ofArray(CD_int.arrayType())
    };
  }

  /** Found in a table that the class library makes of the constants of this run. */
  private static ConstantDesc canonical(DynamicConstantDesc<?> description) {
    return DynamicConstantDesc.ofCanonical(
        description.bootstrapMethod(),
        description.constantName(),
        description.constantType(),
        description.bootstrapArgs());
  }

  @Override
  protected void dirty() {
    all();
  }

  @Override
  protected void probe() {
    DirectMethodHandleDesc[] methods = {
      BSM_VARHANDLE_FIELD, BSM_VARHANDLE_STATIC_FIELD, BSM_VARHANDLE_ARRAY
    };
    for (int i = 0; i < methods.length; i++) {
      VarHandleDesc description = all()[i];
      DirectMethodHandleDesc method = methods[i];
      show("method of " + description, () -> description.bootstrapMethod().equals(method));
      show("canonical " + description, () -> nameOf(canonical(description)));
    }
  }
}
