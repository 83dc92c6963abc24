public aspect Traced {
  pointcut calls(): execution(* Old.*(..)) && !within(Traced);
  before(): calls() { System.out.println("enter " + thisJoinPoint); }
}
